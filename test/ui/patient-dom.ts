/*
 * Files of tests share their window: each begins with an empty one. What they wait for comes late on a machine that has
 * other work; a second is what they wait otherwise.
 */
if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: 20_000 });
  // The library says so itself in the first file alone.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  history.replaceState(null, '', '/');
}
