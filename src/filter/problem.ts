import type { FilterError, Span } from './tree.ts';

interface ProblemParts {
  readonly expected: string;
  readonly suggestion?: string | undefined;
}

/** The error at a piece. The message says first what is wrong, then what was probably meant, or what could stand there. */
export function problem(span: Span, wrong: string, { expected, suggestion }: ProblemParts): FilterError {
  if (suggestion === undefined) return { ...span, message: `${wrong}; expected ${expected}`, expected };
  return { ...span, message: `${wrong}; did you mean ${suggestion}?`, expected, suggestion };
}

/** At most this much of a text is repeated in a message. */
const MAX_SHOWN = 60;

export function quoted(text: string): string {
  return `"${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}"`;
}
