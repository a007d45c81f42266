import type { NamedTrait, TraitField } from '../../../storage/contract/traits.ts';

const NAMES: Readonly<Record<NamedTrait, string>> = {
  op: 'op',
  version: 'version',
  status: 'status',
  error: 'error',
  model: 'model',
  provider: 'provider',
  thread: 'thread',
  root: 'roots',
  latency: 'latency',
  firstChunk: 'summary.stream.first_chunk_ms',
  tokensIn: 'tokens.in',
  tokensOut: 'tokens.out',
  inputBytes: 'input',
};

/** The name of a field, as filters write it where they have it. */
export function nameOfField(field: TraitField): string {
  if (field.kind === 'named') return NAMES[field.name];
  const { column, path } = field;
  if (column === 'attributes' && path.length === 1 && (path[0] === 'kind' || path[0] === 'user')) return path[0];
  const head = column === 'attributes' ? 'attr' : 'input';
  return path.length === 0 ? head : `${head}.${writtenPath(path)}`;
}

/** States have other names in filters than in columns. */
export function shownValue(field: TraitField, value: string): string {
  return field.kind === 'named' && field.name === 'status' ? (STATES[value] ?? value) : value;
}

const STATES: Readonly<Record<string, string>> = { success: 'ok', descendant_error: 'descendant' };

/** The path of a field as filters write it: a backslash stands before a character that would end it. */
function writtenPath(path: readonly string[]): string {
  return path.map((part) => part.replaceAll(/[\s()":,<>=\\.]/g, String.raw`\$&`)).join('.');
}
