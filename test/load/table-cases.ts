import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { type BodyCase, pathOf } from './body-cases.ts';
import type { Send } from './body-service.ts';
import { PROJECT } from './right-bodies.ts';

const { rows_per_table, table_updates } = DEFAULT_LIMITS;

/** What is changed of a table; how often, where there is no other limit, `table_updates` says. */
const UPDATES: Readonly<Record<string, (index: number, rows: number) => object>> = {
  'rows put in at the beginning': (index) => ({ insert: { index: 0, row: { n: index } } }),
  'rows put in everywhere': (index, rows) => ({ insert: { index: (index * 7919) % rows, row: { n: index } } }),
  'rows taken from everywhere': (index, rows) => ({ pop: { index: (index * 7919) % (rows - table_updates) } }),
  'rows put to the end': (index) => ({ append: { row: { n: index } } }),
  'the same row again and again': () => ({ append: { row: {} } }),
};

/** Updates of the largest table: their bodies are small, and what they change is not. */
export function tableCases(): BodyCase[] {
  const base = new LargestTable();
  const updates = Object.entries(UPDATES).map(([kind, update]) => ({
    endpoint: 'tableUpdate' as const,
    path: pathOf('tableUpdate'),
    name: `${kind} of the largest table`,
    kind,
    prepare: base.create,
    make: () => {
      const list = Array.from({ length: table_updates }, (_, index) => update(index, rows_per_table));
      return Buffer.from(JSON.stringify({ project_id: PROJECT, base_digest: base.digest, updates: list }));
    },
  }));
  const reads = [
    { digest: true, limit: 100_000 },
    { digest: true, sort_by: [{ field: 'val.n', direction: 'desc' }], limit: 100 },
    { digest: true, filter: { row_digests: Array.from({ length: 1000 }, (_, index) => `d${index}`) } },
  ].map((body, index) => ({
    endpoint: 'tableQuery' as const,
    path: pathOf('tableQuery'),
    name: `read ${index} of the largest table`,
    kind: `read ${index} of the largest table`,
    prepare: base.create,
    make: () => Buffer.from(JSON.stringify({ ...body, project_id: PROJECT, digest: base.digest })),
  }));
  return [...updates, ...reads];
}

/** The table, made anew in each service; its digest is that of its rows. */
class LargestTable {
  digest = '';

  readonly create = async (send: Send): Promise<void> => {
    const rows = Array.from({ length: rows_per_table }, (_, index) => `{"n":${index % 1000}}`);
    const body = Buffer.from(`{"table":{"project_id":"${PROJECT}","rows":[${rows.join(',')}]}}`);
    const { text, status } = await send('/table/create', body);
    if (status !== 200) throw new Error(`The service refused the table: ${text.slice(0, 200)}`);
    this.digest = /"digest":"(\w+)"/.exec(text)?.[1] ?? '';
  };
}
