import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test.each([
  ['the reader alone', 'createReader', 46_000],
  ['with all that is beside it', '*', 95_000],
])('the reader bundles for a browser, without validators and Node modules: %s', async (_name, taken, mostBytes) => {
  const { metafile } = await build({
    stdin: {
      contents: `export ${taken === '*' ? taken : `{ ${taken} }`} from './src/reader/reader.ts';`,
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
    },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'esm',
    logLevel: 'silent',
  });
  const [output] = Object.values(metafile.outputs);
  const inputs = Object.entries(output?.inputs ?? {}).flatMap(([file, { bytesInOutput: bytes }]) => {
    return bytes > 0 && file !== '<stdin>' ? [file] : [];
  });
  expect(inputs.filter((file) => !/^src\/(reader|protocol)\//.test(file))).toEqual([]);
  expect(inputs.length).toBeGreaterThan(5);
  expect(output?.bytes).toBeLessThan(mostBytes);
});
