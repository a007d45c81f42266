import type { CostRecord } from '../../protocol/cost.ts';
import type { View } from '../../protocol/page/view.ts';
import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { stringifyJson } from '../../protocol/values/json.ts';
import type { Reader } from '../../reader/reader.ts';
import type { ArchiveKind } from './archive-line.ts';

/** Kinds of which a service lists all that a project has, and what counts of one. */
const LISTED = {
  price: {
    list: async (reader: Reader, project_id: string) => await reader.costs.query({ project_id }),
    textOf: (content: unknown) => textOf(withoutId(content as CostRecord)),
  },
  view: {
    list: async (reader: Reader, project_id: string) => await reader.page.views.list({ project_id }),
    textOf: (content: unknown) => textOf(ownView(content as View)),
  },
} as const;

type ListedKind = keyof typeof LISTED;

/** Lists of the project whose lines are looked at, each asked for once. */
export class ProjectLists {
  readonly #reader: Reader;
  readonly #texts = new Map<ArchiveKind, Set<string>>();
  #project: string | undefined;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  async has(kind: ListedKind, project: string, content: unknown): Promise<boolean> {
    if (project !== this.#project) this.#texts.clear();
    this.#project = project;
    const texts = this.#texts.get(kind) ?? (await this.#read(kind, project));
    this.#texts.set(kind, texts);
    return texts.has(LISTED[kind].textOf(content));
  }

  /** It was sent. */
  note(kind: ArchiveKind, content: unknown): void {
    if (kind === 'price' || kind === 'view') this.#texts.get(kind)?.add(LISTED[kind].textOf(content));
  }

  async #read(kind: ListedKind, project: string): Promise<Set<string>> {
    return new Set((await LISTED[kind].list(this.#reader, project)).map(LISTED[kind].textOf));
  }
}

export function withoutId({ id: _id, ...price }: CostRecord): Omit<CostRecord, 'id'> {
  return price;
}

/** The part of a view that its maker has given. */
export function ownView({ name, query, columns }: View): Pick<View, 'name' | 'query' | 'columns'> {
  return { name, query, columns };
}

/** JSON of what was read from JSON. */
export function textOf(value: unknown): string {
  // It was read from JSON.
  return stringifyJson(value as JsonValue);
}
