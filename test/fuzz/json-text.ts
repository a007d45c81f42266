/** A token that goes into JSON text as it is, for what no value of JavaScript prints: `1.0`, `NaN`, `1e999`. */
export class RawToken {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** JSON text of a value with raw tokens in it. Any depth is printed, so the caller bounds it. */
export function printJson(value: unknown): string {
  if (value instanceof RawToken) return value.text;
  if (Array.isArray(value)) return `[${value.map(printJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${printJson(member)}`)
    .join(',')}}`;
}
