import MiniSearch from 'minisearch';
import { traced } from 'spoor';
import type { Ledger } from './ledger.ts';
import type { Section } from './pages.ts';

/** Full-text search over the sections of the pages; the methods are traced by their decorators. */
export class Library {
  readonly #index = new MiniSearch<Section>({ fields: ['title', 'text'], storeFields: ['page', 'title', 'text'] });
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  @traced({ inputs: (sections: readonly Section[]) => ({ sections: sections.length }) })
  add(sections: readonly Section[]): number {
    this.#ledger.note('Library.add');
    this.#index.addAll(sections);
    return this.#index.documentCount;
  }

  @traced({ kind: 'retriever' })
  search(query: string, limit = 4): Section[] {
    this.#ledger.note('Library.search');
    const hits = this.#index.search(query, { boost: { title: 2 }, prefix: true, fuzzy: 0.1 });
    return hits
      .slice(0, limit)
      .map(({ id, page, title, text }) => ({ id: String(id), page, title, text: text.slice(0, 900) }));
  }
}
