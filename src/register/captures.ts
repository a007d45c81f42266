import { captureOpenAI } from '../integrations/openai/openai.ts';
import { captureAnthropic } from '../integrations/anthropic/anthropic.ts';
import { captureGoogleGenAI } from '../integrations/google-genai/google-genai.ts';
import { captureAISDK } from '../integrations/ai-sdk/ai-sdk.ts';
import { captureLangChain } from '../integrations/langchain/langchain.ts';
import { captureMcp } from '../integrations/mcp/mcp.ts';
import type { CaptureLoaded } from './libraries.ts';
import type { TestedLibrary } from '../protocol/process/tested-libraries.ts';

/** The functions that the loader hooks give the modules of each library to. Written by `npm run libraries:write`. */
export const CAPTURES: Readonly<Record<TestedLibrary, CaptureLoaded>> = {
  openai: captureOpenAI,
  '@anthropic-ai/sdk': captureAnthropic,
  '@google/genai': captureGoogleGenAI,
  ai: captureAISDK,
  '@langchain/core': captureLangChain,
  '@modelcontextprotocol/sdk': captureMcp,
};
