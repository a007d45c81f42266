import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('the reader bundles for a browser, without validators and Node modules', async () => {
  const entry = fileURLToPath(new URL('../../src/reader/reader.ts', import.meta.url));
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'esm',
    logLevel: 'silent',
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.filter((file) => !/^src\/(reader|protocol)\//.test(file))).toEqual([]);
  expect(inputs.length).toBeGreaterThan(5);
  expect(Object.values(metafile.outputs)[0]?.bytes).toBeLessThan(46_000);
});
