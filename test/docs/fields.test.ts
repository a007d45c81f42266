import { expect, test } from 'vitest';
import { DOCUMENTED } from '../../src/server/openapi/documented.ts';
import { fieldsPage } from './fields-page.ts';

test('the page of fields says what the document says', async () => {
  await expect(fieldsPage()).toMatchFileSnapshot('../../docs/reference/fields.md');
});

test('it has every field of every schema, and the errors of every endpoint', () => {
  const page = fieldsPage();
  expect(page.match(/^### (?:GET|POST) \//gm)).toHaveLength(Object.keys(DOCUMENTED).length);
  expect(page).toContain('| `filter.row_digests` | list of string or null |');
  expect(page).toContain('| `tables[].storage_size_bytes` * | integer or null |');
});
