import type { LibraryManifest } from '../library-manifest.ts';

export const GOOGLE_GENAI_MANIFEST = {
  name: '@google/genai',
  entry: 'google-genai',
  tested: { from: [1, 1], below: [4, 0] },
  wrappers: ['wrapGoogleGenAI'],
  aliases: ['genai-1', 'genai-1-52', 'genai-2-0', 'genai-3'],
  modules: { mainFile: 'dist/node/index.cjs' },
} as const satisfies LibraryManifest;
