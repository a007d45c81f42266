import type { LibraryManifest } from '../library-manifest.ts';

export const AI_SDK_MANIFEST = {
  name: 'ai',
  entry: 'ai-sdk',
  tested: { from: [5, 0], below: [8, 0] },
  wrappers: ['wrapAISDK(module)'],
  capture: 'captureAISDK',
  modules: {},
  userAgent: /(?:^|\s)ai\/(\S+)/,
} as const satisfies LibraryManifest;
