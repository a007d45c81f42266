import type { LibraryManifest } from '../library-manifest.ts';

export const ANTHROPIC_MANIFEST = {
  name: '@anthropic-ai/sdk',
  entry: 'anthropic',
  tested: { from: [0, 60], below: [2, 0] },
  wrappers: ['wrapAnthropic'],
  aliases: ['anthropic-0', 'anthropic-0-137', 'anthropic-1-0'],
  modules: { mainFile: 'index.js' },
} as const satisfies LibraryManifest;
