import { captureAISDK } from '../integrations/ai-sdk/ai-sdk.ts';
import { ANTHROPIC, captureAnthropic } from '../integrations/anthropic/anthropic.ts';
import type { Origin } from '../integrations/api/capture-library.ts';
import { captureGoogleGenAI, GOOGLE_GENAI } from '../integrations/google-genai/google-genai.ts';
import { captureLangChain } from '../integrations/langchain/langchain.ts';
import { captureMcp } from '../integrations/mcp/mcp.ts';
import { captureOpenAI, OPENAI } from '../integrations/openai/openai.ts';
import { AI_SDK_MANIFEST } from '../integrations/ai-sdk/manifest.ts';
import { ANTHROPIC_MANIFEST } from '../integrations/anthropic/manifest.ts';
import { GOOGLE_GENAI_MANIFEST } from '../integrations/google-genai/manifest.ts';
import { LANGCHAIN_MANIFEST } from '../integrations/langchain/manifest.ts';
import type { CapturedModules, LibraryManifest } from '../integrations/library-manifest.ts';
import { MCP_MANIFEST } from '../integrations/mcp/manifest.ts';
import { OPENAI_MANIFEST } from '../integrations/openai/manifest.ts';

/** A library that is captured as soon as the program loads it. */
export interface LoadedLibrary extends Pick<LibraryManifest, 'name'>, CapturedModules {
  /** Answers what `require` is to hand out in place of `exported`, where that cannot be changed. */
  capture(exported: unknown, origin: Origin): unknown;
  /** As it names itself to its service, with its version. */
  readonly userAgent?: RegExp;
}

export const LIBRARIES: readonly LoadedLibrary[] = [
  loaded(OPENAI_MANIFEST, captureOpenAI, OPENAI.userAgent),
  loaded(ANTHROPIC_MANIFEST, captureAnthropic, ANTHROPIC.userAgent),
  loaded(GOOGLE_GENAI_MANIFEST, captureGoogleGenAI, GOOGLE_GENAI.userAgent),
  loaded(AI_SDK_MANIFEST, captureAISDK, /(?:^|\s)ai\/(\S+)/),
  loaded(LANGCHAIN_MANIFEST, captureLangChain),
  loaded(MCP_MANIFEST, captureMcp),
];

function loaded(
  { name, modules }: LibraryManifest,
  capture: LoadedLibrary['capture'],
  userAgent?: RegExp,
): LoadedLibrary {
  return { name, ...modules, capture, ...(userAgent === undefined ? {} : { userAgent }) };
}
