import { captureAISDK } from '../integrations/ai-sdk.ts';
import { ANTHROPIC, captureAnthropic } from '../integrations/anthropic.ts';
import type { Origin } from '../integrations/capture-library.ts';
import { captureGoogleGenAI, GOOGLE_GENAI } from '../integrations/google-genai.ts';
import { captureOpenAI, OPENAI } from '../integrations/openai.ts';
import type { TestedLibrary } from '../protocol/tested-libraries.ts';

/** A library that is captured as soon as the program loads it. */
export interface LoadedLibrary {
  /** Of the package. */
  readonly name: TestedLibrary;
  /** Answers what `require` is to hand out in place of `exported`, where that cannot be changed. */
  capture(exported: unknown, origin: Origin): unknown;
  /** As it names itself to its service, with its version. */
  readonly userAgent: RegExp;
  /** What `require` reads of it, below its folder; without, nothing can be done about a program that has it already. */
  readonly mainFile?: string;
}

export const LIBRARIES: readonly LoadedLibrary[] = [
  { ...OPENAI, capture: captureOpenAI, mainFile: 'index.js' },
  { ...ANTHROPIC, capture: captureAnthropic, mainFile: 'index.js' },
  { ...GOOGLE_GENAI, capture: captureGoogleGenAI, mainFile: 'dist/node/index.cjs' },
  { name: 'ai', capture: captureAISDK, userAgent: /(?:^|\s)ai\/(\S+)/ },
];
