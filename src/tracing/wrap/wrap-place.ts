import { type CodeFrame, codeFrames } from '../source/call-sites.ts';

/** Where `traced` was called or used as a decorator, the innermost frame first. */
export type WrapPlace = readonly CodeFrame[];

/** Compilers call decorators from functions of their own, of which some stand between the class and us. */
const DECORATOR_FRAMES = 4;

/**
 * Remembers who called `entry`, the function that the user called. Takes about 3 microseconds for one frame, which is
 * why functions remember it when they are wrapped and never when they are called.
 */
export function rememberPlace(entry: Function, isDecorator: boolean): WrapPlace | undefined {
  try {
    return codeFrames(entry, isDecorator ? DECORATOR_FRAMES : 1);
  } catch {
    // A frozen `Error`, as in hardened realms: nobody is told a place then.
    return undefined;
  }
}
