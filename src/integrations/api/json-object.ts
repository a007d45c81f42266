import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';

/** `undefined` for a member that is missing or no object. */
export function memberOf(value: unknown, key: string): ParsedObject | undefined {
  const member = isObject(value) ? value[key] : undefined;
  return isObject(member) ? member : undefined;
}

/** Of a list; empty for anything else. */
export function objectsIn(list: unknown): ParsedObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
