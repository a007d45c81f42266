import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultProject } from '../../src/client/project-name.ts';
import { isProjectId } from '../../src/protocol/values/id.ts';

let folder: string;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'project-')), 'my app');
  mkdirSync(join(folder, 'src', 'deep'), { recursive: true });
});

afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

test.each([
  ['{"name":"shop"}', 'local/shop'],
  ['{"name":"@acme/shop"}', 'local/acme-shop'],
  ['{"name":"100% / odd"}', 'local/100-odd'],
  ['{"name":""}', 'local/my-app'],
  ['{"private":true}', 'local/my-app'],
  ['not JSON', 'local/my-app'],
])('package.json %s makes %s, also from a folder below', (text, project) => {
  writeFileSync(join(folder, 'package.json'), text);
  expect(defaultProject(folder)).toBe(project);
  expect(defaultProject(join(folder, 'src', 'deep'))).toBe(project);
});

test('without package.json the folder gives the name', () => {
  expect(defaultProject(folder)).toBe('local/my-app');
});

test.each(['x'.repeat(300), `x${'𐐀'.repeat(300)}`])(
  'a name that is too long is cut to what a project may have: %s',
  (name) => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name }));
    expect(isProjectId(defaultProject(folder))).toBe(true);
  },
);
