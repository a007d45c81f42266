import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A piece of code in a page. */
export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** Name of a file of its own. */
  readonly fileName: string;
  /** What it prints, where the page shows it right below. */
  readonly output: string | undefined;
  /** What a command shows of the calls it made, where the page tells that next. */
  readonly shown: { readonly isFull: boolean; readonly lines: string } | undefined;
}

/** Paths of README and docs. */
export function pages(): string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  return ['README.md', ...docs.filter((file) => file.endsWith('.md')).map((file) => join('docs', file))];
}

const CODE = /^```(?<language>ts|js)\n(?<code>[\s\S]*?)^```/;
const OUTPUT = /(?:\n\n```text\n(?!\$)(?<output>[\s\S]*?)^```)?/;
const SHOWN = /(?:\n\n```text\n\$ npx spoor show <trace>(?<full> --full)?\n(?<lines>[\s\S]*?)^```)?/;
const BLOCK = new RegExp(CODE.source + OUTPUT.source + SHOWN.source, 'gm');

export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(BLOCK)].map((match) => {
    const { language = '', code = '', output, full, lines } = match.groups ?? {};
    const line = text.slice(0, match.index).split('\n').length;
    const kind = isTestFile(code) ? '.test' : '';
    const fileName = `${page.replaceAll(/[/.]/g, '-')}-${line}${kind}.${language === 'ts' ? 'ts' : 'mjs'}`;
    const shown = lines === undefined ? undefined : { isFull: full !== undefined, lines };
    return { page, line, language, code, fileName, output, shown };
  });
}

/** Blocks are programs, or files of tests. */
export function isTestFile(code: string): boolean {
  return code.includes("from 'vitest'");
}

/** A block says by itself which kind of decorators it is written for. */
export function hasOldDecorators({ code }: Block): boolean {
  return code.includes('"experimentalDecorators": true');
}
