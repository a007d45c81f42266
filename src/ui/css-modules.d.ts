/** Names of the classes of one file; `test/ui/style.test.ts` holds that each one used is there. */
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}

declare module '*.css';
