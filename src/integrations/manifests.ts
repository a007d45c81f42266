import { AI_SDK_MANIFEST } from './ai-sdk/manifest.ts';
import { ANTHROPIC_MANIFEST } from './anthropic/manifest.ts';
import { GOOGLE_GENAI_MANIFEST } from './google-genai/manifest.ts';
import { LANGCHAIN_MANIFEST } from './langchain/manifest.ts';
import { MCP_MANIFEST } from './mcp/manifest.ts';
import { OPENAI_MANIFEST } from './openai/manifest.ts';
import type { LibraryManifest } from './library-manifest.ts';

/** Every captured library, in the order of the docs. */
export const MANIFESTS: readonly LibraryManifest[] = [
  OPENAI_MANIFEST,
  ANTHROPIC_MANIFEST,
  GOOGLE_GENAI_MANIFEST,
  AI_SDK_MANIFEST,
  LANGCHAIN_MANIFEST,
  MCP_MANIFEST,
];
