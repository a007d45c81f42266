import { captureAnthropic } from '../integrations/anthropic.ts';
import type { Origin } from '../integrations/capture-library.ts';
import { captureLangChain } from '../integrations/langchain.ts';
import { captureMcp } from '../integrations/mcp.ts';
import { captureOpenAI } from '../integrations/openai.ts';
import type { TestedLibrary } from '../protocol/tested-libraries.ts';

/** A library that is captured as soon as the program loads it. */
export interface LoadedLibrary {
  /** Of the package. */
  readonly name: TestedLibrary;
  /** The module that has what is captured, where it is not the one that the package exports; of each format. */
  readonly files?: readonly string[];
  capture(exported: unknown, origin: Origin): void;
  /** As it names itself to its service, with its version. */
  readonly userAgent?: RegExp;
}

const LANGCHAIN_MODULES = [
  'callbacks/manager',
  'language_models/chat_models',
  'language_models/llms',
  'retrievers/index',
  'runnables/base',
  'singletons/async_local_storage/index',
  'tools/index',
];

export const LIBRARIES: readonly LoadedLibrary[] = [
  { name: 'openai', capture: captureOpenAI, userAgent: /OpenAI\/JS (\S+)$/ },
  { name: '@anthropic-ai/sdk', capture: captureAnthropic, userAgent: /Anthropic\/JS (\S+)$/ },
  {
    name: '@langchain/core',
    files: LANGCHAIN_MODULES.flatMap((module) => [`dist/${module}.js`, `dist/${module}.cjs`]),
    capture: captureLangChain,
  },
  {
    name: '@modelcontextprotocol/sdk',
    files: ['dist/esm/shared/protocol.js', 'dist/cjs/shared/protocol.js'],
    capture: captureMcp,
  },
];
