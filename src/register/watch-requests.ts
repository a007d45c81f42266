import { captures, noteCapture } from '../tracing/captures.ts';
import { watchUserAgents } from '../tracing/propagation/outgoing-undici.ts';
import { LIBRARIES } from './libraries.ts';

/**
 * Looks for libraries that make requests though no hook has seen them: they were loaded before it, or are part of a
 * bundle. Nothing else tells, as nobody can ask which ES modules are loaded.
 */
export function watchUncaptured(): void {
  watchUserAgents((userAgent) => {
    for (const { name, userAgent: pattern } of LIBRARIES) {
      const version = pattern?.exec(userAgent)?.[1];
      if (version === undefined || captures.libraries.some(({ library }) => library === name)) continue;
      const message =
        'it was loaded before the hook, or is part of a bundle: start with "node --import spoor/register", or wrap the client';
      noteCapture({ library: name, version, hook: 'import', state: 'too-early', ops: [], message });
    }
  });
}
