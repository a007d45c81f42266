import type { ParsedObject } from '../../protocol/values/parsed-object.ts';
import type { CallKind } from '../../tracing/instrument.ts';
import { memberOf, textOf } from '../api/json-object.ts';

/** A request of the Model Context Protocol that is recorded, by its method. */
export interface McpMethod {
  readonly kind: CallKind;
  /** The text to show of one: the tool, the address, the prompt. */
  readonly shown?: (params: ParsedObject | undefined) => string | undefined;
}

const NAME = (params: ParsedObject | undefined): string | undefined => textOf(params?.['name']);
const URI = (params: ParsedObject | undefined): string | undefined => textOf(params?.['uri']);

/** All others, as `ping` and `initialize`, are about the connection. */
export const MCP_METHODS: Readonly<Record<string, McpMethod>> = {
  'tools/call': { kind: 'tool', shown: NAME },
  'tools/list': { kind: 'other' },
  'resources/read': { kind: 'retriever', shown: URI },
  'resources/list': { kind: 'other' },
  'resources/templates/list': { kind: 'other' },
  'resources/subscribe': { kind: 'other', shown: URI },
  'resources/unsubscribe': { kind: 'other', shown: URI },
  'prompts/get': { kind: 'other', shown: NAME },
  'prompts/list': { kind: 'other' },
  'completion/complete': { kind: 'other' },
  'sampling/createMessage': { kind: 'llm' },
  'elicitation/create': { kind: 'other' },
  'roots/list': { kind: 'other' },
};

/** `tools.call` */
export function dotted(method: string): string {
  return method.replaceAll('/', '.');
}

/** A tool that fails answers so: the request has succeeded. */
export function failureOfResult(result: unknown): Error | undefined {
  const { isError, content } = (typeof result === 'object' && result !== null ? result : {}) as ParsedObject;
  if (isError !== true) return undefined;
  const texts = Array.isArray(content) ? content.flatMap((each: unknown) => textOf(Object(each)['text']) ?? []) : [];
  return Object.assign(new Error(texts.join('\n') || 'The tool failed'), { name: 'ToolError', stack: undefined });
}

/** Parameters as the program gave them: `_meta` is about the request. */
export function inputsOf(request: unknown): ParsedObject {
  const { _meta, ...inputs } = memberOf(request, 'params') ?? {};
  return inputs;
}
