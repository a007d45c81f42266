import { types } from 'node:util';
import { opNameOf } from '../../protocol/ref.ts';
import { reportProblem, type Tracer } from './tracer.ts';

/** Options that may be functions of the user's, with the kinds of problems they cause. */
const PROBLEM_KINDS = {
  aggregate: 'aggregate_option',
  attributes: 'attributes_option',
  displayName: 'display_name_option',
  failure: 'failure_option',
  inputs: 'inputs_option',
  output: 'output_option',
  sample: 'sample_option',
  usage: 'usage_option',
} as const;

/** A call, as far as a message names it. */
interface NamedCall {
  readonly tracer: Tracer;
  readonly opName: string;
  /** The value that the option gets as `this`. */
  readonly self?: unknown;
}

/** Calls an option that is a function. What goes wrong in it is reported, and `otherwise` takes the answer's place. */
export function askOption<Args extends readonly unknown[], Answer, Otherwise>(
  { tracer, opName, self }: NamedCall,
  option: keyof typeof PROBLEM_KINDS,
  ask: (this: unknown, ...args: Args) => Answer,
  args: Args,
  otherwise: Otherwise,
): Answer | Otherwise {
  const kind = PROBLEM_KINDS[option];
  try {
    const answer = Reflect.apply(ask, self, args);
    if (!isLost(ask, answer)) return answer;
    reportProblem(kind, `Cannot use the ${option} option of op "${opNameOf(opName)}"`, NOT_AWAITED, tracer);
  } catch (error) {
    reportProblem(kind, `The ${option} option of op "${opNameOf(opName)}" threw`, error, tracer);
  }
  return otherwise;
}

export const NOT_AWAITED = 'it is async, and no call waits for what is recorded of it';

/**
 * Is this the promise of an async function, which nobody but us has? Then nobody else can handle its rejection. A
 * promise that another function returns may be the user's own.
 */
export function isLost(ask: Function, answer: unknown): boolean {
  if (!types.isPromise(answer) || !types.isAsyncFunction(ask)) return false;
  answer.catch(() => undefined);
  return true;
}
