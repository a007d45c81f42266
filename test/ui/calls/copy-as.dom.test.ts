import { expect, test } from 'vitest';
import type { CallRow } from '../../../src/ui/data/answers.ts';
import { asCurl, asTypeScript, curlOf, selectionsOf, shellWord, typeScriptOf } from '../../../src/ui/calls/copy-as.ts';

function projectIn(project: string): string {
  const program = asTypeScript({ project, rows: [] });
  const [, literal = ''] = /apiKey, project: (.*) \}\);$/m.exec(program) ?? [];
  return literal;
}

test.each(["o'brien/shop", "local/x'+process.exit()+'", 'a/b"c', 'a/b\\'])(
  'the project %s stays a text in a program',
  (name) => {
    expect(JSON.parse(projectIn(name))).toBe(name);
  },
);

test('a usual project is written as people write it', () => {
  expect(projectIn('acme/docs-qa')).toBe("'acme/docs-qa'");
});

test.each(["trace'; rm -rf ~; '", 'a`id`', '$(id)'])('the id %s stays a text in what is copied', (id) => {
  expect(shellWord(id)).toBe(`'${id.replaceAll("'", String.raw`'\''`)}'`);
  const [, literal = ''] = /trace_ids: \[(.*)\] /.exec(typeScriptOf('acme/shop', 'trace_ids', id)) ?? [];
  expect(JSON.parse(literal)).toBe(id);
  expect(curlOf({ project_id: 'acme/shop', filter: { trace_ids: [id] } })).toContain("-d '");
});

test('of more calls than a request may name, each request names as many as it may', () => {
  const rows = Array.from({ length: 1200 }, (_, index) => ({ id: `call-${index}` }) as CallRow);
  const ids = rows.map(({ id }) => id);
  const named = selectionsOf('local/app', ids).map(({ filter }) => filter?.call_ids ?? []);
  expect(named.map(({ length }) => length)).toEqual([1000, 200]);
  expect(named.flat()).toEqual(ids);
  expect(asCurl({ project: 'local/app', rows }).match(/^curl /gm)).toHaveLength(2);
  const program = asTypeScript({ project: 'local/app', rows });
  expect(program).toContain('for (let from = 0; from < ids.length; from += 1000)\nfor await (const call of');
  expect(program).toContain('call_ids: ids.slice(from, from + 1000)');
  expect(asTypeScript({ project: 'local/app', rows: rows.slice(0, 1000) })).toContain('call_ids: ids }');
});
