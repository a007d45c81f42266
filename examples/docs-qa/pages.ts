import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { traced } from 'spoor';
import type { Ledger } from './ledger.ts';

export interface Section {
  readonly id: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

export function pageReader(root: string, ledger: Ledger) {
  /** One Markdown page of the repository, by its path from the root. */
  const readPage = traced(async function readPage(page: string): Promise<string> {
    ledger.note('readPage');
    return readFile(join(root, page), 'utf8');
  });

  /** A page cut at its headings, without code and tables; sync, and it stays sync. */
  const splitPage = traced(
    function splitPage(page: string, markdown: string): Section[] {
      ledger.note('splitPage');
      const parts = markdown.replace(/^```[\s\S]*?^```|^\|.*$/gm, '').split(/^#{1,4} +(.+)$/m);
      const sections: Section[] = [];
      for (let index = 1; index < parts.length; index += 2) {
        const text = (parts[index + 1] ?? '').replace(/\s+/g, ' ').trim();
        if (text !== '') sections.push({ id: `${page}#${index}`, page, title: parts[index] ?? '', text });
      }
      return sections;
    },
    { output: (sections: readonly Section[]) => sections.map(({ title }) => title) },
  );

  const readSections = traced(
    async function readSections(): Promise<Section[]> {
      ledger.note('readSections');
      const files = await readdir(join(root, 'docs'), { recursive: true });
      const pages = ['README.md', ...files.filter((file) => file.endsWith('.md')).map((file) => join('docs', file))];
      const sections = await Promise.all(pages.sort().map(async (page) => splitPage(page, await readPage(page))));
      return sections.flat();
    },
    { output: (sections: readonly Section[]) => ({ sections: sections.length }) },
  );

  return { readPage, readSections };
}
