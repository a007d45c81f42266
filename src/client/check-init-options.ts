import { DEFAULT_CAPTURE_LIMITS, type CaptureLimits } from '../tracing/capture/capture-limits.ts';
import { checkOptions, type Rule, type Rules } from '../tracing/wrap/check-options.ts';
import { BOOLEAN, FUNCTION, MASK, MASK_RULES, MEMBERS, SAMPLE, TEXT } from '../tracing/wrap/option-rules.ts';
import { DURABILITIES, type InitOptions } from './options.ts';

const POSITIVE: Rule = {
  wanted: 'a number above 0',
  isOfType: (value) => typeof value === 'number',
  isInRange: (value) => Number(value) > 0 && Number.isFinite(value),
};

const LIMIT: Rule = {
  wanted: 'a number, 0 or above',
  isOfType: (value) => typeof value === 'number',
  isInRange: (value) => Number(value) >= 0,
};

const LIST: Rule = { wanted: 'a list of texts', isOfType: isListOfTexts };

const INIT: Rules<InitOptions> = {
  url: TEXT,
  apiKey: TEXT,
  project: TEXT,
  home: TEXT,
  enabled: BOOLEAN,
  sample: SAMPLE,
  mask: MASK,
  limits: MEMBERS,
  attributes: MEMBERS,
  propagateTo: LIST,
  propagateAttributes: {
    wanted: 'true, false or a list of texts',
    isOfType: (value) => typeof value === 'boolean' || isListOfTexts(value),
  },
  continueTraces: BOOLEAN,
  serverless: {
    wanted: 'true, false or "auto"',
    isOfType: (value) => typeof value === 'boolean' || value === 'auto',
  },
  timeoutMs: POSITIVE,
  queueBytes: POSITIVE,
  spoolBytes: POSITIVE,
  durability: {
    wanted: DURABILITIES.map((word) => `'${word}'`).join(' or '),
    isOfType: (value) => typeof value === 'string',
    isInRange: (value) => DURABILITIES.some((word) => word === value),
  },
  tlsCa: TEXT,
  tlsCert: TEXT,
  tlsKey: TEXT,
  tlsPassphrase: TEXT,
  dispatcher: {
    wanted: 'a dispatcher of undici, which has a method "request"',
    isOfType: (value) => typeof (Object(value) as { request?: unknown }).request === 'function',
  },
  onError: FUNCTION,
};

// Object.fromEntries forgets the keys, which are those of the limits.
const LIMITS = Object.fromEntries(
  Object.keys(DEFAULT_CAPTURE_LIMITS).map((name) => [name, LIMIT]),
) as Rules<CaptureLimits>;

/** Throws a `TypeError` or `RangeError` that names the option which is wrong. What texts say is checked where they are read. */
export function checkInitOptions(options: unknown): asserts options is InitOptions {
  const { mask, limits } = Object(options) as InitOptions;
  if (typeof mask === 'object' && mask !== null) checkOptions('mask', mask, MASK_RULES);
  checkOptions('init', options, INIT);
  if (limits !== undefined) checkOptions('limits', limits, LIMITS);
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
