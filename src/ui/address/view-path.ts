import type { View } from '../data/answers.ts';
import { CALLS } from './pages.ts';
import { paths } from './paths.ts';

/** The list of a saved view: its filter, and the columns that it was saved with. */
export function viewPath(project: string, { query, columns }: Pick<View, 'query' | 'columns'>): string {
  return `${paths.calls(project)}?${CALLS.write(query, { cols: columns, view: '' })}`;
}
