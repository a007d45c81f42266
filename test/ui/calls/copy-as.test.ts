// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { asTypeScript } from '../../../src/ui/calls/copy-as.ts';

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
