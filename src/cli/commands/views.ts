import type { View } from '../../protocol/page/view.ts';
import { type ServiceOptions, connect } from '../known-service.ts';
import { printJson } from '../output/json.ts';
import { toLine } from '../output/plain-text.ts';
import { remark, say } from '../output/say.ts';
import { tableLines } from '../output/table.ts';
import { filterOf, findView, queryOf } from '../saved-view.ts';

export interface ViewsOptions extends ServiceOptions {
  readonly json?: true;
}

export interface SaveViewOptions extends ViewsOptions {
  readonly filter?: string;
}

/** Prints the saved views of a project. */
export async function printViews(options: ViewsOptions): Promise<void> {
  const views = await connect(options).reader.page.views.list();
  if (options.json) return printJson(views);
  if (views.length === 0) remark('No views are saved in this project');
  else process.stdout.write(`${linesOf(views).join('\n')}\n`);
}

/** Saves a filter under a name, in the place of the view that has it. */
export async function saveView(name: string, { filter = '', json, ...options }: SaveViewOptions): Promise<void> {
  const { views } = connect(options).reader.page;
  const known = (await views.list()).find((view) => view.name === name);
  const view = await views.save({
    ...(known && { id: known.id, columns: known.columns }),
    name,
    query: queryOf(filter),
  });
  if (json) return printJson(view);
  say(`saved ${toLine(view.name)}`);
}

/** Deletes the view with this name or id. */
export async function deleteView(name: string, options: ViewsOptions): Promise<void> {
  const { reader } = connect(options);
  const found = await findView(reader, name);
  await reader.page.views.delete(found.id);
  if (options.json) return printJson(found);
  say(`deleted ${toLine(found.name)}`);
}

function linesOf(views: readonly View[]): string[] {
  return tableLines(views, [
    { head: 'name', cell: ({ name }) => toLine(name, 60), least: 12 },
    { head: 'filter', cell: (view) => toLine(filterOf(view), 80), least: 16 },
    { head: 'by', cell: ({ user_id: user }) => toLine(user, 40), least: 8, rank: 1 },
    // A name does as well.
    { head: 'id', cell: ({ id }) => toLine(id), rank: 2 },
  ]);
}
