import { isObject } from '../../protocol/values/parsed-object.ts';
import { textOf } from '../json/read-json.ts';

const KINDS = new Set(['llm', 'tool', 'agent', 'retriever', 'embedding', 'chain', 'scorer']);
const MODEL_OPERATIONS = /^(?:chat|text_completion|generate_content)$/;

/** The kind of a call by its attributes, which producers write in capitals or leave out. */
export function kindOf(attributes: unknown): string {
  if (!isObject(attributes)) return 'other';
  const told = textOf(attributes['kind'])?.replaceAll('"', '').toLowerCase() ?? '';
  if (KINDS.has(told)) return told;
  return MODEL_OPERATIONS.test(textOf(attributes['operation']) ?? '') ? 'llm' : 'other';
}
