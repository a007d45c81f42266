/** Below it `require` loads no ES modules, and Node lacks what is used here. */
const OLDEST = [20, 19] as const;

/** Is this Node older than what is needed to record? */
export function isTooOld(version: string = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}

const SAID_KEY = Symbol.for('spoor.too-old.1');

/** One line, once in a process, however many copies of this package it loads. */
export function sayTooOld(version: string = process.versions.node): void {
  const holder = globalThis as { [SAID_KEY]?: true };
  if (holder[SAID_KEY]) return;
  holder[SAID_KEY] = true;
  process.stderr.write(
    `spoor: nothing is recorded: this is Node ${version}, and ${OLDEST.join('.')} or newer is needed\n`,
  );
}
