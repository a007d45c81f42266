/**
 * Prints a value for programs. Characters that a terminal acts on, and that JSON lets through, are escaped: the
 * output may end up on a screen all the same.
 */
export function printJson(value: unknown): void {
  process.stdout.write(`${toJsonText(value)}\n`);
}

export function toJsonText(value: unknown): string {
  // Control characters are what it is about.
  // oxlint-disable-next-line no-control-regex
  return JSON.stringify(value, undefined, 2).replaceAll(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    escape,
  );
}

function escape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
