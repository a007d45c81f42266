import type { View } from '../protocol/page/view.ts';
import type { Reader } from '../reader/reader.ts';

/** The filter of a view, in the filter language; empty where it has none. */
export function filterOf({ query }: View): string {
  return new URLSearchParams(query).get(FILTER) ?? '';
}

/** The query string of the page of calls with a filter. */
export function queryOf(filter: string): string {
  return new URLSearchParams(filter === '' ? {} : { [FILTER]: filter }).toString();
}

/** The view with this name or id; throws where there is none, naming those that are there. */
export async function findView(reader: Reader, name: string): Promise<View> {
  const views = await reader.page.views.list();
  const found = views.find((view) => view.name === name) ?? views.find((view) => view.id === name);
  if (found === undefined) throw new Error(`There is no view "${name}": ${knownNames(views)}`);
  return found;
}

/** Key of a filter in the address of the page. */
const FILTER = 'q';

/** A longer list is what "spoor views list" is for. */
const MAX_NAMES = 20;

function knownNames(views: readonly View[]): string {
  if (views.length === 0) return 'this project has none';
  const names = views.slice(0, MAX_NAMES).map(({ name }) => `"${name}"`);
  const more = views.length - names.length;
  return `this project has ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
