/** The folder that the program runs in; `undefined` when somebody has removed it since. */
export function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
