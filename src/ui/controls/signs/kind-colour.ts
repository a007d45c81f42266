import classes from './kind-colour.module.css';

/** Kinds of calls that have a colour of their own, by the names of the tokens. */
export const COLOUR_KINDS = ['agent', 'llm', 'tool', 'retriever', 'other'] as const;

/** The kind of `COLOUR_KINDS` that lends its colour to this one: embeddings are part of a search, and all that is not named is other. */
export function colourKind(kind: string): string {
  if (kind === 'embedding') return 'retriever';
  return (COLOUR_KINDS as readonly string[]).includes(kind) ? kind : 'other';
}

/** The class that sets `--kc`, which is the colour of a kind for whatever wears it. */
export function kindClass(kind: string): string {
  return classes[colourKind(kind)] ?? '';
}
