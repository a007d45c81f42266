import { availableParallelism } from 'node:os';
import { defaultServerConditions } from 'vite';
import { defaultExclude, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Node itself knows no condition `module`; with it, CommonJS packages are handed sources that are made for bundlers.
const conditions = ['spoor-source', ...defaultServerConditions.filter((condition) => condition !== 'module')];

/** Left out by `npm test`, which runs with the mode `quick`; `npm run test:all` and CI leave out nothing. */
const LONG = [
  // Whole programs, browsers, other versions of Node and of compilers.
  'test/{browser,flow,page,register}/**/*.test.ts',
  'test/cli/{program,service-fetch,start/kept-code,terminal}.test.ts',
  'test/cli/commands/{archive,archive-killed,backup,base-path,contents,diff,doctor,drain,filtered,ls,messages,open-editor,run,serve,show}.test.ts',
  'test/docs/pages.test.ts',
  'test/{examples,first-steps,package,page-size,seeds}.test.ts',
  'test/types/compilers.test.ts',
  'test/storage/sqlite/{crash,exit}.test.ts',
  'test/tracing/{propagation-processes,source-place}.test.ts',
  // Long properties: the whole contract through files and HTTP, what is random, what grows to its limits.
  'test/storage/{clickhouse,differential,large-queries,sqlite-file,whole-stack}.test.ts',
  'test/storage/clickhouse/*.test.ts',
  'test/storage/sqlite/{columns,health,large-trace,sqlite-storage}.test.ts',
  'test/testing/{instrument-conformance,storage-broken,storage-conformance}.test.ts',
  'test/testing/{transparency-conformance,transparency-planted}.test.ts',
  'test/tracing/{capture-cost,mask-corpus}.test.ts',
  'test/server/{body-budget,body-memory,large-bodies,log-content,orphaned-segments,portions-memory,retention}.test.ts',
  'test/server/{span-portions,stalled-readers,wide-objects}.test.ts',
  'test/server/page/slow-follower.test.ts',
  'test/server/query/plan-growth.test.ts',
  'test/reader/compare/compare-growth.test.ts',
  'test/delivery/{blocked-records,failures}.test.ts',
  'test/fuzz/*.test.ts',
];

/** Of those, the ones that take a minute or more: begun last, one of them would run alone in the end. */
const LONGEST = [
  'test/page/all-states.test.ts',
  'test/storage/clickhouse.test.ts',
  'test/storage/whole-stack.test.ts',
  'test/cli/commands/archive-killed.test.ts',
  'test/cli/terminal.test.ts',
  'test/storage/clickhouse/old-traces.test.ts',
  'test/page/states.test.ts',
  'test/storage/differential.test.ts',
  'test/storage/sqlite-file.test.ts',
  'test/page/journeys/widths.test.ts',
];

/** Long files first, others as always: those that failed before, then by their size. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification): boolean => LONGEST.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

/** They keep nothing in the memory of their process, so their files share one: most of their time was that of its start. */
const SHARED = ['test/{cli,docs,filter,protocol,reader,server,spool,storage,ui}/**/*.test.{ts,tsx}'];

/** In a browser of Node, which such files share as well. */
const DOM = ['test/ui/**/*.test.tsx', 'test/ui/**/*.dom.test.ts'];

/** Engines of suites that run on each. */
function enginesOf(mode: string): { readonly TEST_ENGINES?: string } {
  const engines: Readonly<Record<string, string>> = { quick: 'memory', clickhouse: 'clickhouse' };
  const named = engines[mode];
  return named === undefined ? {} : { TEST_ENGINES: named };
}

interface Patience {
  readonly testTimeout?: number;
  readonly hookTimeout?: number;
}

/** Of a project: what the file says for all of them is not taken in another mode. */
function patienceOf(mode: string, own: Patience = {}): Patience {
  return mode === 'clickhouse' ? { testTimeout: 300_000, hookTimeout: 300_000 } : own;
}

/** Several waits for programs have to fit in a test, so that the one that fails says what it saw. */
const LONG_PATIENCE = { testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig(({ mode }) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // As the page is built.
  esbuild: { jsx: 'automatic' },
  test: {
    // Threads of the service and whole programs are run as they are built.
    globalSetup: './test/global-setup.ts',
    setupFiles: ['./test/end-left-processes.ts', './test/ui/patient-dom.ts'],
    // Some threads of tests are TypeScript.
    execArgv: ['--import', './test/load-typescript.js', '--conditions=spoor-source'],
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // Tests of what is in memory, and when it goes; workers of test runners would write ahead by themselves.
    env: { SPOOR_DURABILITY: 'exit', ...enginesOf(mode) },
    // Most tests wait for processes of their own, so two files at a time are no fight, also for two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What is waited for comes late on a machine that has other work.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          ...patienceOf(mode),
          isolate: false,
          sequence: { groupOrder: 1 },
          include: SHARED,
          exclude: [...defaultExclude, ...DOM, ...LONG],
        },
      },
      {
        extends: true,
        test: {
          name: 'dom',
          ...patienceOf(mode),
          environment: 'happy-dom',
          isolate: false,
          sequence: { groupOrder: 2 },
          include: DOM,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          ...patienceOf(mode),
          sequence: { groupOrder: 3 },
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...defaultExclude, ...SHARED, ...LONG],
          typecheck: { enabled: true, include: ['test/types/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
        },
      },
      ...(mode === 'quick'
        ? []
        : [
            {
              extends: true,
              test: { name: 'long', ...patienceOf(mode, LONG_PATIENCE), sequence: { groupOrder: 3 }, include: LONG },
            } as const,
          ]),
    ],
  },
}));
