import { isObject } from '../../protocol/values/parsed-object.ts';
import { toObjectId } from '../../protocol/values/id.ts';
import { DEFAULT_LIMITS } from '../../protocol/limits.ts';
import { checkOptions, describe, type Rule, type Rules } from './check-options.ts';
import type { ContextOptions } from '../propagation/context.ts';
import type { MaskRules } from '../mask/mask.ts';
import type { CallKind, CallOptions, TracedOptions, UntypedOptions } from './op-spec.ts';
import type { StartOptions, TraceOptions } from './trace.ts';

export const FUNCTION: Rule = { wanted: 'a function', isOfType: (value) => typeof value === 'function' };
export const TEXT: Rule = { wanted: 'a text', isOfType: (value) => typeof value === 'string' };
export const BOOLEAN: Rule = { wanted: 'true or false', isOfType: (value) => typeof value === 'boolean' };
export const MEMBERS: Rule = {
  wanted: 'an object',
  isOfType: isObject,
};

/** Ids out of a database may be numbers, or missing. */
const ID: Rule = {
  wanted: 'a text',
  isOfType: (value) => value === null || ['string', 'number'].includes(typeof value),
};

export const OFF_OR_FUNCTION: Rule = {
  wanted: 'false or a function',
  isOfType: (value) => value === false || typeof value === 'function',
};

const KINDS: Readonly<Record<CallKind, true>> = {
  llm: true,
  tool: true,
  agent: true,
  retriever: true,
  chain: true,
  embedding: true,
  scorer: true,
  other: true,
};

export const SAMPLE: Rule = {
  wanted: 'a number from 0 to 1, "parent" or a function',
  isOfType: (value) => typeof value === 'number' || value === 'parent' || typeof value === 'function',
  isInRange: (value) => typeof value !== 'number' || (value >= 0 && value <= 1),
};

const LONGEST_NAME = DEFAULT_LIMITS.op_name_characters;

export const OP_NAME: Rule = {
  wanted: `a text of 1 to ${LONGEST_NAME} characters with a letter or a digit`,
  isOfType: (value) => typeof value === 'string' && toObjectId(value) !== '',
  isInRange: (value) => typeof value === 'string' && [...value].length <= LONGEST_NAME,
};

const TEXT_OR_FUNCTION: Rule = {
  wanted: 'a text or a function',
  isOfType: (value) => typeof value === 'string' || typeof value === 'function',
};

const NAMES: Rule = {
  wanted: 'a list of different names',
  isOfType: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== ''),
  isInRange: (value) => Array.isArray(value) && new Set(value).size === value.length,
};

export const MASK_RULES: Rules<MaskRules> = {
  keys: listOf('texts and regular expressions', isTextOrExpression),
  shapes: listOf('regular expressions', (each) => each instanceof RegExp),
  allow: listOf('texts and regular expressions', isTextOrExpression),
  value: FUNCTION,
};

export const MASK: Rule = {
  wanted: `false, a function or an object with ${Object.keys(MASK_RULES).join(', ')}`,
  isOfType: (value) => value === false || typeof value === 'function' || isRules(value),
};

export const CALL: Rules<CallOptions> = {
  kind: {
    wanted: `one of ${Object.keys(KINDS).join(', ')}`,
    isOfType: (value) => typeof value === 'string' && Object.hasOwn(KINDS, value),
  },
  attributes: MEMBERS,
  output: OFF_OR_FUNCTION,
  usage: FUNCTION,
  aggregate: FUNCTION,
  sample: SAMPLE,
};

const TRACED: Rules<TracedOptions> = {
  name: OP_NAME,
  ...CALL,
  displayName: TEXT_OR_FUNCTION,
  args: NAMES,
  inputs: OFF_OR_FUNCTION,
  op: { wanted: 'false', isOfType: (value) => value === false },
};

export const START: Rules<StartOptions> = { ...CALL, displayName: TEXT };
export const TRACE: Rules<TraceOptions> = { ...START, inputs: MEMBERS };

export const CONTEXT: Rules<ContextOptions> = {
  thread: ID,
  user: ID,
  run: ID,
  attributes: MEMBERS,
  mask: MASK,
  sample: SAMPLE,
  enabled: BOOLEAN,
};

/** Throws a `TypeError` or `RangeError` that names the option which is wrong, or the two that exclude each other. */
export function checkTracedOptions(options: unknown): asserts options is UntypedOptions {
  checkOptions('traced', options, TRACED);
  const { args, inputs, output, aggregate, usage, kind, attributes } = options as UntypedOptions;
  if (args !== undefined && inputs !== undefined)
    throw conflict('args', 'inputs', inputs === false ? 'no inputs are recorded' : 'a function names the inputs');
  if (aggregate !== undefined && output === false && usage === undefined)
    throw conflict('aggregate', 'output: false', 'nobody sees what it makes');
  if (kind !== undefined && attributes?.['kind'] !== undefined && attributes['kind'] !== kind)
    throw conflict('kind', 'attributes.kind', 'they differ, and both are recorded as attributes.kind');
}

const NOT_OF_CLASSES = ['output', 'usage', 'aggregate'] as const;

/** The output of `new` is not recorded, so what would be made of it is never asked for. */
export function checkClassOptions(options: UntypedOptions, name: string): void {
  const given = NOT_OF_CLASSES.find((option) => options[option] !== undefined && options[option] !== false);
  if (given !== undefined)
    throw new TypeError(
      `Cannot use the option "${given}" of traced with the class "${name}": instances are not recorded`,
    );
}

/** For what was about to be called. */
export function notCallable(value: unknown, action: string, argument: string): TypeError {
  return new TypeError(`Cannot ${action}: the ${argument} argument has to be a function, got ${describe(value)}`);
}

function conflict(one: string, other: string, reason: string): TypeError {
  return new TypeError(`Cannot use the options "${one}" and "${other}" of traced together: ${reason}`);
}

function listOf(what: string, isRight: (each: unknown) => boolean): Rule {
  return { wanted: `a list of ${what}`, isOfType: (value) => Array.isArray(value) && value.every(isRight) };
}

function isTextOrExpression(value: unknown): boolean {
  return typeof value === 'string' || value instanceof RegExp;
}

function isRules(value: unknown): boolean {
  try {
    checkOptions('mask', value, MASK_RULES);
    return true;
  } catch {
    return false;
  }
}
