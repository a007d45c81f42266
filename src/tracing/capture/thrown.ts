import { types } from 'node:util';

/**
 * Is this an error, also of another realm: in a test runner's sandbox the errors of Node itself are. Whatever was thrown: a
 * proxy may throw when somebody asks what it is.
 */
export function isError(value: unknown): value is Error {
  return types.isNativeError(value) || isOfClass(value, Error);
}

/** `instanceof` for what may be a proxy. */
export function isOfClass<Class>(value: unknown, constructor: abstract new (...args: never) => Class): value is Class {
  try {
    return value instanceof constructor;
  } catch {
    return false;
  }
}

/** The message of an error, in a line for people. */
export function messageOf(thrown: unknown): string {
  try {
    const said: unknown = isError(thrown) ? thrown.message : thrown;
    return String(said);
  } catch {
    return UNREADABLE;
  }
}

/** Stands for what nobody can look into. */
export const UNREADABLE = 'an unreadable object';
