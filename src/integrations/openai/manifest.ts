import type { LibraryManifest } from '../library-manifest.ts';

export const OPENAI_MANIFEST = {
  name: 'openai',
  entry: 'openai',
  tested: { from: [5, 0], below: [8, 0] },
  wrappers: ['wrapOpenAI'],
  aliases: ['openai-5-0', 'openai-5', 'openai-6-0', 'openai-7-0', 'openai-7'],
  modules: { mainFile: 'index.js', innerFiles: ['client.mjs', 'client.js'] },
} as const satisfies LibraryManifest;
