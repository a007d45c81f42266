import type { Completion } from '../../../filter/completion-at.ts';
import { definitionOf, FILTER_FIELDS, nameOf, type NamedField } from '../../../filter/fields.ts';
import { printValue } from '../../../filter/print-filter.ts';
import type { Span } from '../../../filter/tree.ts';
import type { Facet } from '../../data/answers.ts';
import { formatCount } from '../../format/count.ts';

export interface Suggestion {
  readonly id: string;
  readonly label: string;
  readonly fact: string;
  /** The text that takes the place of `span`. */
  readonly text: string;
  readonly span: Span;
  /** The term is whole with it. */
  readonly isWhole: boolean;
}

const SHOWN = 12;

export interface FoundValues {
  /** Among the calls that the list is of. */
  readonly shown: Facet['values'];
  /** Of a list of outermost calls: also among those inside of them. */
  readonly all: Facet['values'];
}

/** Suggestions at the caret: fields with their meaning, values that are there with their counts. */
export function suggestionsOf(completion: Completion, caret: number, found: FoundValues): readonly Suggestion[] {
  if (completion.kind === 'field') return fieldSuggestions(completion);
  const prefix = completion.kind === 'value' ? completion.prefix : '';
  const at = completion.kind === 'value' ? completion.span : { offset: caret, length: 0 };
  const countsOf = (values: Facet['values']): Map<string, number> =>
    new Map(values.map(({ value, count }) => [wordOf(completion.field, value), count]));
  const [counts, all] = [countsOf(found.shown), countsOf(found.all)];
  const choices = Object.keys(definitionOf(completion.field.field).choices ?? {});
  return [...new Set([...counts.keys(), ...all.keys(), ...choices])]
    .filter((value) => value.toLowerCase().includes(prefix.toLowerCase()) && value !== '')
    .slice(0, SHOWN)
    .map((value) => ({
      id: `value-${value}`,
      label: value,
      fact: factOf(counts.get(value), all.get(value)),
      text: printValue(value, completion.field),
      span: at,
      isWhole: true,
    }));
}

/** A value that is nowhere among the outermost calls is said to be inside of them: a list of those would be empty. */
function factOf(shown: number | undefined, all: number | undefined): string {
  if (shown !== undefined) return formatCount(shown);
  return all === undefined ? '' : `${formatCount(all)} inside other calls`;
}

function fieldSuggestions({ prefix, span }: Completion & { kind: 'field' }): readonly Suggestion[] {
  const wanted = prefix.toLowerCase();
  return FILTER_FIELDS.filter(({ name }) => name.startsWith(wanted))
    .slice(0, SHOWN)
    .map(({ name, meaning, ...field }) => {
      const needsPath = 'path' in field && field.path === 'required';
      return {
        id: `field-${name}`,
        label: needsPath ? `${name}.…` : name,
        fact: meaning,
        text: needsPath ? `${name}.` : `${name}:`,
        span,
        isWhole: false,
      };
    });
}

const FACETS = new Set(['op', 'model', 'kind', 'thread', 'user', 'error']);
const ROOTS: Readonly<Record<string, string>> = { attr: 'attributes', input: 'inputs', output: 'output' };

/** The field under which the service counts values that could be written; `undefined` where it counts none. */
export function facetOf(completion: Completion): string | undefined {
  if (completion.kind === 'field') return undefined;
  const { field } = completion;
  if (field.field === 'status') return 'state';
  if (FACETS.has(field.field)) return field.field;
  const root = ROOTS[field.field];
  const name = nameOf(field);
  return root === undefined || !name.includes('.') ? undefined : root + name.slice(field.field.length);
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  success: 'ok',
  never_ended: 'never',
  descendant_error: 'descendant',
};

function wordOf({ field }: NamedField, value: string): string {
  return field === 'status' ? (STATE_WORDS[value] ?? value) : value;
}
