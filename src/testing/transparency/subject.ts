/** Any function or class. */
export type Wrappable = ((...args: never[]) => unknown) | (abstract new (...args: never[]) => unknown);

/** Options that the kit hands to a wrapper. Further ones are those of the checks of sections that name them. */
export interface WrapOptions {
  /** The name under which calls are read back. */
  readonly name?: string;
  readonly [option: string]: unknown;
}

export type Wrap = <F extends Wrappable>(fn: F, options?: WrapOptions) => F;

/** The context that the language gives to a decorator of a method. */
export type MethodContext = { readonly kind: 'method' | 'class'; readonly name: string | symbol | undefined } & {
  addInitializer: (...args: never[]) => void;
};

/** A decorator of methods and of fields that hold functions, under both standards. */
export interface Decorator {
  <F extends Wrappable>(method: F, context: MethodContext): F;
  <This, Value>(none: undefined, context: ClassFieldDecoratorContext<This, Value>): (initial: Value) => Value;
  <F>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<F>): TypedPropertyDescriptor<F>;
}

/** One call as a wrapper has recorded it. */
export interface RecordedCall {
  readonly id: string;
  /** The name that the function was wrapped under. */
  readonly op: string;
  /** The arguments, as a list or by their names. A receiver is under `self`, if anywhere. */
  readonly inputs: unknown;
  /** The result; of a stream or generator the list of its chunks. */
  readonly output: unknown;
  /** The error that was thrown, as text with the message in it. */
  readonly error: string | undefined;
  /** Id of the call that this one was made in. */
  readonly parent: string | undefined;
  readonly ended: boolean;
  /** Id of the tree. */
  readonly trace?: string | undefined;
  /** Id of the conversation. */
  readonly thread?: string | undefined;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly summary?: Readonly<Record<string, unknown>>;
}

/** The masking that the checks of `withContext` ask for. */
export type MaskUnderTest =
  | false
  | ((value: unknown, path: readonly string[]) => unknown)
  | { readonly keys: readonly (string | RegExp)[] }
  | { readonly shapes: readonly RegExp[] };

/** Where the wrapper under test sends what it records. */
export interface RecordingTarget {
  readonly url: string;
  readonly apiKey: string;
  readonly project: string;
  /** A state folder of the kit, so that nothing is left in the user's. */
  readonly home: string;
}

/**
 * The wrapper under test. `wrap` alone does for whoever records through Spoor: the kit starts a service inside the
 * process and names it in `SPOOR_URL`, `SPOOR_API_KEY`, `SPOOR_PROJECT` and `SPOOR_HOME` before the first check.
 */
export interface TransparencySubject {
  readonly wrap: Wrap;
  /** @default 'the wrapper' */
  readonly name?: string;
  /**
   * All calls so far whose op begins with `prefix`, in order of their starts. A wrapper that records elsewhere is
   * read back by this.
   * @default what arrived at the service of the kit
   */
  readonly calls?: (prefix: string) => readonly RecordedCall[] | Promise<readonly RecordedCall[]>;
  /**
   * Begins to record. Also called by the checks of servers that are slow or away, and by those of what waits on disk,
   * which name no server.
   * @default variables are set
   */
  readonly start?: (target: Partial<RecordingTarget>) => unknown;
  /** Ends recording, so that `start` begins afresh. */
  readonly stop?: () => unknown;
  /** Sends what is recorded at once, which makes the run faster. */
  readonly flush?: () => unknown;
  /** Makes a decorator. @default one that calls `wrap` with the method */
  readonly decorate?: (options: WrapOptions) => Decorator;
  /** Writes where the running call stands into headers, a message or an environment, as `inject` of `spoor`. */
  readonly inject?: <C extends Record<string, string | undefined>>(carrier: C) => C;
  /** Runs `fn` below the call that `inject` wrote, as `extract` of `spoor`. */
  readonly extract?: <Result>(carrier: object, fn: () => Result) => Result;
  /** Runs `fn` with `options` in force, of which the checks use `mask`, as `withContext` of `spoor`. */
  readonly withContext?: <Result>(options: { readonly mask: MaskUnderTest }, fn: () => Result) => Result;
  /** The value as it would be recorded, as `previewMask` of `spoor`. */
  readonly previewMask?: (value: unknown) => unknown;
  /** Address of a module with `traced`, `extract` and `flush`, for the threads and processes that checks start. */
  readonly module?: string;
  /** The wrapper of a second copy of the package in this process. */
  readonly copy?: () => Wrap | Promise<Wrap>;
  /**
   * The type of `wrap` as TypeScript source, in which packages are named by `import('…')`.
   * @default "typeof import('spoor').traced"
   */
  readonly type?: string;
  /** How long the kit waits for the calls of a check, in milliseconds. @default 5000 */
  readonly patienceMs?: number;
  /** How long the code of a check may take, in milliseconds. @default 20000 */
  readonly deadlineMs?: number;
  /** Sections to run. @default all */
  readonly sections?: readonly string[];
  /** Checks that the wrapper fails today, with the reason. One that starts to pass fails the suite. */
  readonly excused?: Readonly<Record<string, string>>;
}

/** A test runner as the kit needs it. Tests run one after the other. */
export interface TransparencyRunner {
  readonly describe: (name: string, body: () => void) => void;
  readonly test: {
    (name: string, body: () => Promise<void>): void;
    /** Shows checks that need something which the subject does not have. Without it they fail. */
    skip?: (name: string, body: () => Promise<void>) => void;
  };
  /** Closes the service of the kit, where a runner would wait for it: `afterAll`, `after`. */
  readonly afterAll?: (body: () => Promise<void>) => void;
}
