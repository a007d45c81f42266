import { availableParallelism } from 'node:os';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

// Node itself knows no condition `module`; with it, CommonJS packages are handed sources that are made for bundlers.
const conditions = ['spoor-source', ...defaultServerConditions.filter((condition) => condition !== 'module')];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // As the page is built.
  esbuild: { jsx: 'automatic' },
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    // Threads of the service and whole programs are run as they are built.
    globalSetup: './test/global-setup.ts',
    // Some threads of tests are TypeScript.
    execArgv: ['--import', './test/load-typescript.js', '--conditions=spoor-source'],
    pool: 'forks',
    // Tests of what is in memory, and when it goes; workers of test runners would write ahead by themselves.
    env: { SPOOR_DURABILITY: 'exit' },
    // Most tests wait for processes of their own, so two files at a time are no fight, also for two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What is waited for comes late on a machine that has other work.
    expect: { poll: { timeout: 20_000 } },
    typecheck: { enabled: true, include: ['test/types/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
  },
});
