import type { CallsSelection } from '../../data/answers.ts';
import { useFacet } from '../../data/calls-stats.ts';
import type { Suggestion } from './suggestions.ts';
import type { FilterLanguage } from './use-language.ts';

/** Suggestions at the caret, with the values that the service counts there. */
export function useSuggestions(
  language: FilterLanguage | undefined,
  text: string,
  caret: number | undefined,
  selection: CallsSelection,
): readonly Suggestion[] {
  const completion = caret === undefined ? undefined : language?.completionAt(text, caret);
  const field = completion && language?.facetOf(completion);
  const { data } = useFacet(selection, field);
  const { roots_only: isRoots, ...all } = selection;
  const inside = useFacet(isRoots === true ? all : undefined, field).data;
  if (language === undefined || completion === undefined || caret === undefined) return [];
  return language.suggestionsOf(completion, caret, { shown: data?.values ?? [], all: inside?.values ?? [] });
}
