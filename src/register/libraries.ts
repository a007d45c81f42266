import { captureAISDK } from '../integrations/ai-sdk/ai-sdk.ts';
import { ANTHROPIC, captureAnthropic } from '../integrations/anthropic/anthropic.ts';
import type { Origin } from '../integrations/api/capture-library.ts';
import { captureGoogleGenAI, GOOGLE_GENAI } from '../integrations/google-genai/google-genai.ts';
import { captureLangChain } from '../integrations/langchain/langchain.ts';
import { captureMcp } from '../integrations/mcp/mcp.ts';
import { captureOpenAI, OPENAI } from '../integrations/openai/openai.ts';
import type { TestedLibrary } from '../protocol/process/tested-libraries.ts';

/** A library that is captured as soon as the program loads it. */
export interface LoadedLibrary {
  /** Of the package. */
  readonly name: TestedLibrary;
  /** Answers what `require` is to hand out in place of `exported`, where that cannot be changed. */
  capture(exported: unknown, origin: Origin): unknown;
  /** As it names itself to its service, with its version. */
  readonly userAgent?: RegExp;
  /**
   * What `require` reads of it, below its folder; without, nothing can be done about a program that has it already.
   * @default `files`
   */
  readonly mainFile?: string;
  /** Modules beside the one that the package exports, which programs import by their path; of each format. */
  readonly innerFiles?: readonly string[];
  /** The modules that have what is captured, where it is not the one that the package exports; of each format. */
  readonly files?: readonly string[];
}

const LANGCHAIN_MODULES = [
  'callbacks/manager',
  'language_models/chat_models',
  'language_models/llms',
  'retrievers/index',
  'runnables/base',
  'singletons/async_local_storage/index',
  'tools/index',
  'utils/stream',
];

export const LIBRARIES: readonly LoadedLibrary[] = [
  { ...OPENAI, capture: captureOpenAI, mainFile: 'index.js', innerFiles: ['client.mjs', 'client.js'] },
  { ...ANTHROPIC, capture: captureAnthropic, mainFile: 'index.js' },
  { ...GOOGLE_GENAI, capture: captureGoogleGenAI, mainFile: 'dist/node/index.cjs' },
  { name: 'ai', capture: captureAISDK, userAgent: /(?:^|\s)ai\/(\S+)/ },
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
