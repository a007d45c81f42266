import type { LibraryManifest } from '../library-manifest.ts';

export const GOOGLE_GENAI_MANIFEST = {
  name: '@google/genai',
  entry: 'google-genai',
  tested: { from: [1, 1], below: [4, 0] },
  wrappers: ['wrapGoogleGenAI(client)'],
  capture: 'captureGoogleGenAI',
  modules: { mainFile: 'dist/node/index.cjs' },
  userAgent: /google-genai-sdk\/(\S+)/,
} as const satisfies LibraryManifest;
