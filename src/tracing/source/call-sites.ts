/** Where a function on the stack stands. Unlike the call site of the engine, it keeps neither function nor receiver alive. */
export interface CodeFrame {
  readonly script: string;
  readonly functionName: string;
  readonly line: number;
  readonly column: number;
  /** The position is that in the source as the user wrote it, so there is no map to look at. */
  readonly isOriginal?: boolean;
}

/**
 * Up to `limit` functions on the stack, from the one that called `below`, as they are before anything else, such as
 * Node itself under `--enable-source-maps`, makes text of them.
 */
export function codeFrames(below: Function, limit: number): readonly CodeFrame[] {
  const { stackTraceLimit } = Error;
  const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const holder: { readonly stack?: unknown } = {};
  try {
    Error.stackTraceLimit = limit;
    Error.prepareStackTrace = toFrames;
    Error.captureStackTrace(holder, below);
    return Array.isArray(holder.stack) ? (holder.stack as CodeFrame[]) : [];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    if (before === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
    else Object.defineProperty(Error, 'prepareStackTrace', before);
  }
}

/** The frame as a loader writes it that has its own maps, as those of test runners do; empty without one. */
export function textOfLoader(frame: CodeFrame): string {
  const prepare: unknown = Reflect.get(Error, 'prepareStackTrace');
  if (typeof prepare !== 'function') return '';
  return String(Reflect.apply(prepare, undefined, [new Error('place'), [callSiteOf(frame)]]));
}

function toFrames(_error: Error, sites: NodeJS.CallSite[]): CodeFrame[] {
  return sites.map((site) => ({
    script: site.getFileName() ?? '',
    functionName: site.getFunctionName() ?? '',
    line: site.getLineNumber() ?? 0,
    column: site.getColumnNumber() ?? 0,
  }));
}

/** Loaders copy the methods from the prototype of a call site, so that is where they are; those that nobody asks are left out. */
function callSiteOf({ script, functionName, line, column }: CodeFrame): NodeJS.CallSite {
  const methods: Partial<NodeJS.CallSite> & { toString(): string } = {
    getFileName: () => script,
    getScriptNameOrSourceURL: () => script,
    getFunctionName: () => functionName || null,
    getFunction: () => undefined,
    getMethodName: () => null,
    getTypeName: () => null,
    getThis: () => undefined,
    getLineNumber: () => line,
    getColumnNumber: () => column,
    getPromiseIndex: () => null,
    getEvalOrigin: () => undefined,
    isAsync: () => false,
    isConstructor: () => false,
    isEval: () => false,
    isNative: () => false,
    isPromiseAll: () => false,
    isToplevel: () => true,
    toString: () => `${script}:${line}:${column}`,
  };
  return Object.create(methods) as NodeJS.CallSite;
}
