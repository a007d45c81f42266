// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { asTypeScript, curlOf, shellWord, typeScriptOf } from '../../../src/ui/calls/copy-as.ts';

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
