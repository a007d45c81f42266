import type { LibraryManifest } from '../library-manifest.ts';

export const OPENAI_MANIFEST = {
  name: 'openai',
  entry: 'openai',
  tested: { from: [5, 0], below: [8, 0] },
  wrappers: ['wrapOpenAI(client)'],
  capture: 'captureOpenAI',
  modules: { mainFile: 'index.js', innerFiles: ['client.mjs', 'client.js'] },
  userAgent: /OpenAI\/JS (\S+)$/,
} as const satisfies LibraryManifest;
