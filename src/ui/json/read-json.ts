import type { ParsedObject } from '../../protocol/values/parsed-object.ts';

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A text to compare with others; empty for what is none. */
export function wordOf(value: unknown): string {
  return textOf(value) ?? '';
}

export function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? (value as unknown[]) : undefined;
}

/** The first member that is there, of several names for one thing. */
export function firstOf(value: ParsedObject, ...names: readonly string[]): unknown {
  for (const name of names) if (value[name] !== undefined && value[name] !== null) return value[name];
  return undefined;
}

/** An object without some of its members. */
export function without(value: ParsedObject, names: ReadonlySet<string>): ParsedObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
}

/** Arguments of tools come as JSON in a text; a stream that was left early has half of it, which stays text. */
export function parsedOrText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
