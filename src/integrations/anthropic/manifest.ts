import type { LibraryManifest } from '../library-manifest.ts';

export const ANTHROPIC_MANIFEST = {
  name: '@anthropic-ai/sdk',
  entry: 'anthropic',
  tested: { from: [0, 60], below: [2, 0] },
  wrappers: ['wrapAnthropic(client)'],
  capture: 'captureAnthropic',
  modules: { mainFile: 'index.js' },
  userAgent: /Anthropic\/JS (\S+)$/,
} as const satisfies LibraryManifest;
