const OLDEST = [20, 19] as const;

/** Says so where this Node is too old to run the command line, and makes the process fail. */
export function refuseOldNode(): boolean {
  const { node: version } = process.versions;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isTooOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  if (!isTooOld) return false;
  process.stderr.write(`spoor: Node ${OLDEST.join('.')} or newer is needed, and this is ${version}\n`);
  process.exitCode = 1;
  return true;
}
