import {
  BOOLEAN,
  CALL,
  type CallOptions,
  checkOptions,
  FUNCTION,
  MEMBERS,
  OFF_OR_FUNCTION,
  OP_NAME,
  type Rules,
  TEXT,
} from '../../tracing/instrument.ts';

type Members = Readonly<Record<string, unknown>>;

/** How the calls of a function of a library are recorded. */
export interface InstrumentOptions<
  Args extends readonly unknown[] = never[],
  Output = never,
  Chunk = never,
  Self = never,
> extends Omit<CallOptions<Output, Chunk>, 'attributes'> {
  /** The package whose function it is, by which problems name it. */
  readonly library: string;
  /** Name of the op, such as `oracle.ask`. */
  readonly name: string;
  /** Answers what the function is called with, by name; `this` is its receiver. `false` records none. */
  readonly inputs: false | ((this: Self, ...args: Args) => Members);
  /** Recorded with each call. A function makes them from what is called, as `inputs` does. */
  readonly attributes?: Members | ((this: Self, ...args: Args) => Members);
  /** Answers the error that a result tells of, where the function returns one instead of throwing. */
  readonly failure?: (output: Output) => Error | undefined;
  /**
   * A request to a model: what other captured libraries do below it is the same request, and is not recorded again.
   * @default false
   */
  readonly isRequest?: boolean;
}

/** After the border: what its functions take is known to the program alone. */
export type UntypedInstrument = InstrumentOptions<readonly unknown[], unknown, unknown, unknown>;

export const INSTRUMENT_RULES: Rules<InstrumentOptions> = {
  ...CALL,
  library: TEXT,
  name: OP_NAME,
  inputs: OFF_OR_FUNCTION,
  attributes: {
    wanted: 'an object or a function',
    isOfType: (value) => MEMBERS.isOfType(value) || typeof value === 'function',
  },
  failure: FUNCTION,
  isRequest: BOOLEAN,
};

/** Throws a `TypeError` or `RangeError` that names the option which is wrong or missing. */
export function checkInstrument(what: string, options: unknown): asserts options is UntypedInstrument {
  checkOptions(what, options, INSTRUMENT_RULES);
  const given = options as Partial<UntypedInstrument>;
  const missing = (['library', 'name', 'inputs'] as const).find((name) => given[name] === undefined);
  if (missing !== undefined) throw new TypeError(`Cannot use ${what} without the option "${missing}"`);
}
