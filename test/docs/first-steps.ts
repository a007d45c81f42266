import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const FIRST_PAGES = ['README.md', 'docs/start.md'] as const;

/** What a page tells to type, or to save as a program, in its order. */
export interface FirstStep {
  readonly kind: 'line' | 'program';
  readonly text: string;
}

/** The steps from an empty folder to a trace, as a page prints them; what is for a clone of the repository comes later. */
export function firstStepsOf(page: (typeof FIRST_PAGES)[number]): FirstStep[] {
  const [text = ''] = readFileSync(join(ROOT, page), 'utf8').split('\n## From a clone\n');
  return [...text.matchAll(/^```(ts|sh)\n([\s\S]*?)^```/gm)].flatMap(([, language, code = '']): FirstStep[] => {
    if (language === 'ts') return [{ kind: 'program', text: code }];
    return code
      .trimEnd()
      .split('\n')
      .map((line) => ({ kind: 'line', text: line }));
  });
}

/** A line without what a shell takes no notice of. */
export function withoutComment(line: string): string {
  return line.replace(/ +#.*$/, '');
}
