/** Where `traced` was called or used as a decorator. Turned into a file and a line only when somebody asks. */
export interface WrapPlace {
  /** Holds the frames in the form that the engine keeps them in; reading its `stack` makes them objects. */
  readonly stack?: unknown;
}

/** Compilers call decorators from functions of their own, of which some stand between the class and us. */
const DECORATOR_FRAMES = 4;

/**
 * Remembers who called `entry`, the function that the user called. Takes 2 to 3 microseconds for one frame, which is why
 * functions remember it when they are wrapped and never when they are called.
 */
export function rememberPlace(entry: Function, isDecorator: boolean): WrapPlace | undefined {
  const { stackTraceLimit } = Error;
  try {
    const place: WrapPlace = {};
    Error.stackTraceLimit = isDecorator ? DECORATOR_FRAMES : 1;
    Error.captureStackTrace(place, entry);
    return place;
  } catch {
    // A frozen `Error`, as in hardened realms: nobody is told a place then.
    return undefined;
  } finally {
    restore(stackTraceLimit);
  }
}

function restore(stackTraceLimit: number): void {
  try {
    Error.stackTraceLimit = stackTraceLimit;
  } catch {
    // Frozen, so that it was not changed either.
  }
}
