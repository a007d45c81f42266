/** A small project of `examples/recipes`, and what the service has of it when it has run. */
export interface Recipe {
  /** Scripts of its `package.json`, in their order. */
  readonly scripts: readonly string[];
  /** A server: what is asked of it, once the last script has told its address. */
  readonly path?: string;
  readonly traces: number;
  /** Of each of the traces, as `assertTree` takes it. */
  readonly tree: string;
  /** It is delivered before the program ends: nobody looks into the folder where the rest would wait. */
  readonly deliversAtEnd?: true;
  /** Why it runs only when it is named. */
  readonly byHand?: string;
}

const ANSWER = 'answer\n  ask';

export const RECIPES: Readonly<Record<string, Recipe>> = {
  'jest-commonjs': { scripts: ['test'], traces: 1, tree: 'answer\n  search' },
  typescript: { scripts: ['build', 'start'], traces: 4, tree: ANSWER, deliversAtEnd: true },
  nestjs: {
    scripts: ['build', 'start'],
    path: '/answers/tracks',
    traces: 1,
    tree: 'GET /answers/tracks\n  Answers.answer\n    Library.search',
  },
  bun: { scripts: ['start'], traces: 1, tree: ANSWER, deliversAtEnd: true },
  deno: { scripts: ['start'], traces: 1, tree: ANSWER, deliversAtEnd: true },
  nextjs: {
    scripts: ['build', 'start'],
    path: '/answers/tracks',
    traces: 1,
    tree: 'answer\n  search',
    byHand: 'a third of a gigabyte, and a build of a minute',
  },
};
