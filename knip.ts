import { readFileSync } from 'node:fs';

interface PackageFile {
  readonly devDependencies: Readonly<Record<string, string>>;
}

const { devDependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as PackageFile;

/** Other versions of a package, which tests import. */
const IMPORTED = ['otel-sdk-1', 'typescript-5-9'];

/** Those which tests load by a name that they put together. */
const ALIASES = Object.keys(devDependencies).filter((name) => {
  return devDependencies[name]?.startsWith('npm:') && !IMPORTED.includes(name);
});

export default {
  entry: [
    'src/cli/start/{bin,modules,reading}.ts',
    'src/ui/main.tsx',
    'src/ui/file/main.tsx',
    'src/ui/no-mutations.ts',
    'src/ui/trace/layout/lay-out-here.ts',
    'bench/service/{differences,overviews}.ts',
    'src/server/ingest/large/body-thread.ts',
    'examples/*/main.ts',
    'examples/docs-qa/read-back.ts',
    'examples/storage-engine/conformance.ts',
    'test/**/*.test.{ts,tsx}',
    'test/**/*.test-d.ts',
    'test/load/away-program.js',
    'test/server/read-body-child.ts',
    'test/server/read-in-heap-child.ts',
    'test/flow/network/front-process.ts',
    'test/flow/network/proxy-process.ts',
  ],
  project: [
    'bundle*.ts',
    'src/**/*.{ts,tsx}',
    'examples/**/*.ts',
    '!examples/recipes/**',
    'test/**/*.{ts,tsx}',
    'bench/**/*.ts',
  ],
  ignoreDependencies: [
    // Has an install of its own, in test/clickhouse.
    'chdb',
    '@sinonjs/fake-timers',
    '@opentelemetry/instrumentation',
    '@opentelemetry/instrumentation-http',
    '@opentelemetry/instrumentation-undici',
    '@opentelemetry/resources',
    'express',
    'jest',
    'weave',
    ...ALIASES,
  ],
  ignoreBinaries: ['fish', 'mount', 'openssl', 'strace', 'umount'],
  ignoreExportsUsedInFile: true,
};
