import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import type { ToolDefinition } from './chat.ts';
import { firstOf, listOf, parsedOrText, textOf } from '../json/read-json.ts';

/** Tools that a model could call, as OpenAI, Anthropic, Gemini, the AI SDK and instrumentations list them. */
export function readTools(told: unknown): ToolDefinition[] {
  const value = parsedOrText(told);
  const list = listOf(value) ?? (isObject(value) ? Object.entries(value).map(named) : []);
  return list.flatMap((tool) => definitionsOf(parsedOrText(tool)));
}

/** Agents keep tools by name. */
function named([name, tool]: readonly [string, unknown]): unknown {
  return isObject(tool) ? { name, ...tool } : tool;
}

function definitionsOf(tool: unknown): ToolDefinition[] {
  if (typeof tool === 'string') return [{ name: tool, description: undefined, value: tool }];
  if (!isObject(tool)) return [{ name: 'tool', description: undefined, value: tool }];
  const several = listOf(firstOf(tool, 'functionDeclarations', 'function_declarations'));
  if (several !== undefined) return several.flatMap(definitionsOf);
  const inner = firstOf(tool, 'function', 'custom', 'tool');
  const told: ParsedObject = isObject(inner) ? inner : tool;
  const [kind] = Object.keys(tool);
  const name = textOf(firstOf(told, 'name', 'toolName')) ?? textOf(tool['type']) ?? kind ?? 'tool';
  return [{ name, description: textOf(told['description']), value: tool }];
}
