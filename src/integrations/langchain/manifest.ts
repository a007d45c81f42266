import type { LibraryManifest } from '../library-manifest.ts';

/** Modules of the package that have what is captured. */
const MODULES = [
  'callbacks/manager',
  'language_models/chat_models',
  'language_models/llms',
  'retrievers/index',
  'runnables/base',
  'singletons/async_local_storage/index',
  'tools/index',
  'utils/stream',
];

export const LANGCHAIN_MANIFEST = {
  name: '@langchain/core',
  entry: 'langchain',
  tested: { from: [1, 4], below: [2, 0] },
  wrappers: ['new SpoorCallbackHandler()'],
  capture: 'captureLangChain',
  modules: { files: MODULES.flatMap((module) => [`dist/${module}.js`, `dist/${module}.cjs`]) },
} as const satisfies LibraryManifest;
