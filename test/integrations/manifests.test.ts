import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MANIFESTS } from '../../src/integrations/manifests.ts';
import { isTested } from '../../src/protocol/process/tested-libraries.ts';
import { exportedName } from '../../write-libraries.ts';
import { ROOT } from '../flow/service-process.ts';
import { installedVersions } from './installed-versions.ts';

const ALL = MANIFESTS.map((manifest) => [manifest.name, manifest] as const);

test.each(ALL)('the entry of %s exports its wrappers', async (_name, { entry, wrappers }) => {
  const exported = (await import(join(ROOT, `src/${entry}.ts`))) as object;
  expect(Object.keys(exported).toSorted()).toEqual(wrappers.map(exportedName).toSorted());
});

test.each(ALL)('the installed versions of %s are tested', (name) => {
  expect(installedVersions(name).filter(({ version }) => !isTested(name, version))).toEqual([]);
});
