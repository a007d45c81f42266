import type { LibraryManifest } from '../library-manifest.ts';

export const AI_SDK_MANIFEST = {
  name: 'ai',
  entry: 'ai-sdk',
  tested: { from: [5, 0], below: [8, 0] },
  wrappers: ['wrapAISDK'],
  aliases: ['ai-5-0', 'ai-5', 'ai-6-0', 'ai-7-0', 'ai-7'],
  modules: {},
} as const satisfies LibraryManifest;
