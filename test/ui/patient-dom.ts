/** What tests of the page wait for comes late on a machine that has other work; a second is what they wait otherwise. */
if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: 20_000 });
}
