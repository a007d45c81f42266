/*
 * What it takes to read a filter, in one piece: a list without a filter is shown before it has come (`use-language.ts`).
 */
export { completionAt } from '../../../filter/completion-at.ts';
export { parseFilter } from '../../../filter/parse-filter.ts';
export { wantedCalls } from '../list/wanted-calls.ts';
export { Chips } from './chips.tsx';
export { facetOf, suggestionsOf } from './suggestions.ts';
export { withoutHalfTerm } from './without-half-term.ts';
