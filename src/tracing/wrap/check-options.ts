import { classNameOf } from '../capture/capture-instance.ts';
import { nearestName } from './nearest-name.ts';

/** A rule for an option. */
export interface Rule {
  readonly wanted: string;
  /** A value of another type is a `TypeError`. */
  isOfType(value: unknown): boolean;
  /** A value of the right type beyond its range is a `RangeError`. */
  isInRange?(value: unknown): boolean;
}

/** A rule for each option, so that a new one cannot be forgotten. */
export type Rules<Options> = { readonly [Name in keyof Required<Options>]: Rule };

type AnyRules = Readonly<Record<string, Rule>>;

/** Throws a `TypeError` or `RangeError` that names the first option of `what` that is not as wanted. */
export function checkOptions(what: string, options: unknown, rules: AnyRules): void {
  const problem = isPlainObject(options) ? firstProblem(what, options, rules) : noObject(what, options);
  if (problem !== undefined) throw problem;
}

/**
 * For options that come with each call, where nothing may be thrown: the same options when all are as wanted, else those
 * that are, and the problem is reported.
 */
export function usableOptions<Options extends object>(
  what: string,
  options: Options,
  rules: AnyRules,
  report: (problem: unknown) => void,
): Options {
  try {
    const isObject = typeof options === 'object' && options !== null;
    const problem = isObject ? firstProblem(what, options, rules) : noObject(what, options);
    if (problem === undefined) return options;
    report(problem);
    return withoutProblems(what, isObject ? options : {}, rules) as Options;
  } catch (error) {
    // A getter of the user's that throws.
    report(error);
    return {} as Options;
  }
}

/** All options can be left out, and what is left out here was of no use. */
function withoutProblems(what: string, options: object, rules: AnyRules): object {
  const kept = Object.entries(options).filter(([name, value]) => problemOf(what, name, value, rules) === undefined);
  return Object.fromEntries(kept);
}

function firstProblem(what: string, options: object, rules: AnyRules): Error | undefined {
  // Runs for each call of `trace`: nothing is allocated while all is as wanted.
  for (const name in options) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    if (!isAsWanted(rules, name, value)) return problemOf(what, name, value, rules);
  }
  return undefined;
}

function isAsWanted(rules: AnyRules, name: string, value: unknown): boolean {
  const rule = rules[name];
  if (rule?.isOfType === undefined) return false;
  return value === undefined || (rule.isOfType(value) && (rule.isInRange === undefined || rule.isInRange(value)));
}

function problemOf(what: string, name: string, value: unknown, rules: AnyRules): Error | undefined {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule === undefined) return new TypeError(unknownOption(what, name, Object.keys(rules)));
  if (value === undefined) return undefined;
  const message = () => `Cannot use the option "${name}" of ${what}: want ${rule.wanted}, got ${describe(value)}`;
  if (!rule.isOfType(value)) return new TypeError(message());
  return rule.isInRange?.(value) === false ? new RangeError(message()) : undefined;
}

function unknownOption(what: string, name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? `there are ${names.join(', ')}` : `did you mean "${nearest}"?`;
  return `Cannot use the option "${name.slice(0, 50)}" of ${what}: there is none of this name, ${hint}`;
}

function noObject(what: string, options: unknown): Error {
  return new TypeError(`Cannot use the options of ${what}: want an object, got ${describe(options)}`);
}

/** An object as `{}` makes it, also one of another realm. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The words of a message for a value. Texts may be long or secret, so only short words of them are shown. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return /^[\w .-]{0,40}$/.test(value) ? `"${value}"` : 'another text';
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return 'a list';
  return isPlainObject(value) ? 'an object' : `an object of class ${classNameOf(value) ?? 'unknown'}`;
}
