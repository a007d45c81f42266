import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { type CallsRequest, planCalls, planSelection } from '../../../src/server/query/plan/plan-calls.ts';
import type { Sql } from '../../../src/storage/sql/sql.ts';
import { openWriteConnection } from '../../../src/storage/sqlite/connection.ts';
import { sqliteDialect } from '../../../src/storage/sqlite/read/dialect.ts';
import { migrate } from '../../../src/storage/sqlite/schema/migrate.ts';
import { printCount, printKeys } from '../../../src/storage/sqlite/read/select-calls.ts';

function keysOf(request: Partial<CallsRequest>): Sql {
  return printKeys(planCalls({ project_id: 'acme/demo', ...request }, DEFAULT_LIMITS), sqliteDialect);
}

function countOf(request: Partial<CallsRequest>): Sql {
  return printCount(planSelection({ project_id: 'acme/demo', ...request }, DEFAULT_LIMITS), undefined, sqliteDialect);
}

/** What SQLite does for a statement, line by line. */
function stepsOf({ text, values }: Sql): string[] {
  const database = openWriteConnection({ path: ':memory:', durable: 'crash' });
  migrate(database);
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values);
  database.close();
  return rows
    .map(({ detail }) => String(detail))
    .filter((detail) => !/^(SCALAR|SEARCH project|LIST|CREATE BLOOM FILTER)/.test(detail));
}

test('a page of the newest roots is printed as one walk over keys', () => {
  const page = keysOf({
    filter: { trace_roots_only: true },
    sort_by: [{ field: 'started_at', direction: 'desc' }],
    limit: 50,
  });
  expect(page).toMatchInlineSnapshot(`
    {
      "text": "SELECT c.pk FROM calls c WHERE (c.project = (SELECT pk FROM project WHERE name = ?)) AND (c.started_at IS NOT NULL AND c.parent_id IS NULL) ORDER BY c.started_at DESC, c.id DESC LIMIT ? OFFSET ?",
      "values": [
        "acme/demo",
        50,
        0,
      ],
    }
  `);
});

test('a condition on a JSON value is printed with the type that its literal asks for', () => {
  const eq = (value: unknown) =>
    keysOf({ query: { $expr: { $eq: [{ $getField: 'inputs.a.0' }, { $literal: value }] } } });
  expect(eq('x')).toMatchInlineSnapshot(`
    {
      "text": "SELECT c.pk FROM calls c JOIN body_start s ON s.pk = c.pk WHERE ((random() & 15 OR spoor_go_on(c.pk)) AND c.project = (SELECT pk FROM project WHERE name = ?)) AND ((c.started_at IS NOT NULL) AND ((s.inputs LIKE ?) AND ((SELECT CASE json_type(found, ?) WHEN 'text' THEN json_extract(found, ?) WHEN 'null' THEN NULL ELSE (found -> ?) END FROM (SELECT coalesce((s.inputs -> ?), (s.inputs -> ?)) AS found)) = ?))) ORDER BY c.started_at ASC, c.id ASC",
      "values": [
        "acme/demo",
        "%"x"%",
        "$",
        "$",
        "$",
        "$."a"[0]",
        "$."a"."0"",
        "x",
      ],
    }
  `);
  expect(eq(5).text).toMatchInlineSnapshot(
    `"SELECT c.pk FROM calls c JOIN body_start s ON s.pk = c.pk WHERE ((random() & 15 OR spoor_go_on(c.pk)) AND c.project = (SELECT pk FROM project WHERE name = ?)) AND (c.started_at IS NOT NULL AND ((SELECT CASE json_type(found, ?) WHEN 'integer' THEN CASE WHEN length((found -> ?)) < 19 THEN json_extract(found, ?) ELSE spoor_number(CAST((found -> ?) AS BLOB)) END WHEN 'real' THEN CASE WHEN instr((found -> ?), 'e') = 0 THEN json_extract(found, ?) ELSE spoor_number(CAST((found -> ?) AS BLOB)) END WHEN 'text' THEN spoor_number(CAST(json_extract(found, ?) AS BLOB)) END FROM (SELECT coalesce((s.inputs -> ?), (s.inputs -> ?)) AS found)) = ?)) ORDER BY c.started_at ASC, c.id ASC"`,
  );
  expect(eq(true).text).toMatchInlineSnapshot(
    `"SELECT c.pk FROM calls c JOIN body_start s ON s.pk = c.pk WHERE ((random() & 15 OR spoor_go_on(c.pk)) AND c.project = (SELECT pk FROM project WHERE name = ?)) AND (c.started_at IS NOT NULL AND ((SELECT CASE json_type(found, ?) WHEN 'true' THEN 1 WHEN 'false' THEN 0 WHEN 'text' THEN CASE json_extract(found, ?) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END WHEN 'integer' THEN CASE json_extract(found, ?) WHEN 1 THEN 1 WHEN 0 THEN 0 END WHEN 'real' THEN CASE json_extract(found, ?) WHEN 1 THEN 1 WHEN 0 THEN 0 END END FROM (SELECT coalesce((s.inputs -> ?), (s.inputs -> ?)) AS found)) = 1)) ORDER BY c.started_at ASC, c.id ASC"`,
  );
  expect(eq({ a: 1 }).text).toMatchInlineSnapshot(
    `"SELECT c.pk FROM calls c JOIN body_start s ON s.pk = c.pk WHERE ((random() & 15 OR spoor_go_on(c.pk)) AND c.project = (SELECT pk FROM project WHERE name = ?)) AND (c.started_at IS NOT NULL AND (spoor_equal(coalesce((s.inputs -> ?), (s.inputs -> ?)), ?))) ORDER BY c.started_at ASC, c.id ASC"`,
  );
});

test('filters and columns are printed as plain comparisons', () => {
  const request = {
    filter: { op_names: ['svc:///acme/demo/op/f:*'], trace_ids: ['t1'], input_refs: ['svc:///acme/demo/object/a:*'] },
    query: { $expr: { $gt: [{ $getField: 'summary.svc.latency_ms' }, { $literal: 100 }] } },
  } as const;
  expect(countOf({ ...request, filter: { ...request.filter } } as never)).toMatchInlineSnapshot(`
    {
      "text": "SELECT count(*) AS count FROM calls c NOT INDEXED WHERE (((random() & 255 OR spoor_go_on(c.pk))) AND (c.project = (SELECT pk FROM project WHERE name = ?) AND c.started_at IS NOT NULL)) AND ((c.trace_id = ? AND c.op IN (SELECT pk FROM op WHERE (name >= ? AND name < ?))) AND (c.pk IN (SELECT call FROM ref WHERE project = (SELECT pk FROM project WHERE name = ?) AND is_output = ? AND ((ref >= ? AND ref < ?))) AND (max(0, (c.ended_at - c.started_at) / 1000) > ?)))",
      "values": [
        "acme/demo",
        "t1",
        "svc:///acme/demo/op/f:",
        "svc:///acme/demo/op/f;",
        "acme/demo",
        0,
        "svc:///acme/demo/object/a:",
        "svc:///acme/demo/object/a;",
        100n,
      ],
    }
  `);
});

test('a sort by a JSON value is printed as absent, number, text', () => {
  expect(keysOf({ sort_by: [{ field: 'output.score', direction: 'desc' }] }).text).toMatchInlineSnapshot(
    `"SELECT c.pk FROM calls c LEFT JOIN body_end e ON e.pk = c.pk WHERE ((random() & 15 OR spoor_go_on(c.pk))) AND (c.project = (SELECT pk FROM project WHERE name = ?) AND c.started_at IS NOT NULL) ORDER BY coalesce(json_type(e.output, ?), 'null') = 'null', CASE json_type(e.output, ?) WHEN 'integer' THEN CASE WHEN length((e.output -> ?)) < 19 THEN json_extract(e.output, ?) ELSE spoor_number(CAST((e.output -> ?) AS BLOB)) END WHEN 'real' THEN CASE WHEN instr((e.output -> ?), 'e') = 0 THEN json_extract(e.output, ?) ELSE spoor_number(CAST((e.output -> ?) AS BLOB)) END WHEN 'text' THEN spoor_number(CAST(json_extract(e.output, ?) AS BLOB)) END IS NULL, CASE json_type(e.output, ?) WHEN 'integer' THEN CASE WHEN length((e.output -> ?)) < 19 THEN json_extract(e.output, ?) ELSE spoor_number(CAST((e.output -> ?) AS BLOB)) END WHEN 'real' THEN CASE WHEN instr((e.output -> ?), 'e') = 0 THEN json_extract(e.output, ?) ELSE spoor_number(CAST((e.output -> ?) AS BLOB)) END WHEN 'text' THEN spoor_number(CAST(json_extract(e.output, ?) AS BLOB)) END DESC, CASE WHEN CASE json_type(e.output, ?) WHEN 'integer' THEN CASE WHEN length((e.output -> ?)) < 19 THEN json_extract(e.output, ?) ELSE spoor_number(CAST((e.output -> ?) AS BLOB)) END WHEN 'real' THEN CASE WHEN instr((e.output -> ?), 'e') = 0 THEN json_extract(e.output, ?) ELSE spoor_number(CAST((e.output -> ?) AS BLOB)) END WHEN 'text' THEN spoor_number(CAST(json_extract(e.output, ?) AS BLOB)) END IS NULL THEN CASE json_type(e.output, ?) WHEN 'text' THEN json_extract(e.output, ?) WHEN 'null' THEN NULL ELSE (e.output -> ?) END END DESC, c.id DESC"`,
  );
});

test('a comparison with feedback is printed as a look at the rows of its type, by the index of references', () => {
  const request = {
    query: { $expr: { $gt: [{ $getField: 'feedback.[x].runnable_ref' }, { $literal: 'a' }] } },
  } as const;
  const printed = countOf(request as never);
  expect(printed).toMatchInlineSnapshot(`
    {
      "text": "SELECT count(*) AS count FROM calls c WHERE ((random() & 15 OR spoor_go_on(c.pk)) AND c.project = (SELECT pk FROM project WHERE name = ?)) AND (c.started_at IS NOT NULL AND ((SELECT CASE WHEN max(truth) = 1 THEN 1 WHEN count(truth) = count(*) THEN max(truth) END FROM (SELECT (f0.runnable_ref > ?) AS truth FROM feedback f0
        WHERE f0.project = c.project AND f0.svc_ref = ? || c.id AND f0.feedback_type = ? AND (random() & 15 OR spoor_go_on(0))))))",
      "values": [
        "acme/demo",
        "a",
        "svc:///acme/demo/call/",
        "x",
      ],
    }
  `);
  expect(stepsOf(printed)).toMatchInlineSnapshot(`
    [
      "SEARCH c USING INDEX calls_time (project=? AND started_at>?)",
      "CORRELATED SCALAR SUBQUERY 3",
      "SEARCH f0 USING INDEX feedback_ref (project=? AND svc_ref=?)",
    ]
  `);
});

test('a sort by feedback is printed as a join with the most recent of its type', () => {
  const printed = keysOf({ sort_by: [{ field: 'feedback.[*].runnable_ref', direction: 'desc' }] });
  expect(printed).toMatchInlineSnapshot(`
    {
      "text": "SELECT c.pk FROM calls c LEFT JOIN feedback l0 ON l0.pk = (SELECT f.pk FROM feedback f WHERE f.project = c.project AND f.svc_ref = ? || c.id ORDER BY f.created_at DESC, f.id DESC LIMIT 1) WHERE ((random() & 15 OR spoor_go_on(c.pk))) AND (c.project = (SELECT pk FROM project WHERE name = ?) AND c.started_at IS NOT NULL) ORDER BY l0.runnable_ref IS NULL, l0.runnable_ref DESC, c.id DESC",
      "values": [
        "svc:///acme/demo/call/",
        "acme/demo",
      ],
    }
  `);
  expect(stepsOf(printed)).toMatchInlineSnapshot(`
    [
      "SEARCH c USING INDEX calls_time (project=? AND started_at>?)",
      "SEARCH l0 USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
      "CORRELATED SCALAR SUBQUERY 1",
      "SEARCH f USING INDEX feedback_ref (project=? AND svc_ref=?)",
      "USE TEMP B-TREE FOR ORDER BY",
      "USE TEMP B-TREE FOR ORDER BY",
    ]
  `);
});

test('a span of OpenTelemetry is read where it is stored', () => {
  const request = { query: { $expr: { $getField: 'attributes.otel_span.ok' } } } as const;
  expect(countOf(request as never).text).toMatchInlineSnapshot(
    `"SELECT count(*) AS count FROM calls c JOIN body_start s ON s.pk = c.pk WHERE ((random() & 15 OR spoor_go_on(c.pk)) AND c.project = (SELECT pk FROM project WHERE name = ?)) AND (c.started_at IS NOT NULL AND (CASE json_type(coalesce(s.otel_dump, s.attributes -> '$."otel_span"'), ?) WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE CASE json_type(coalesce(s.otel_dump, s.attributes -> '$."otel_span"'), ?) WHEN 'integer' THEN CASE WHEN length((coalesce(s.otel_dump, s.attributes -> '$."otel_span"') -> ?)) < 19 THEN json_extract(coalesce(s.otel_dump, s.attributes -> '$."otel_span"'), ?) ELSE spoor_number(CAST((coalesce(s.otel_dump, s.attributes -> '$."otel_span"') -> ?) AS BLOB)) END WHEN 'real' THEN CASE WHEN instr((coalesce(s.otel_dump, s.attributes -> '$."otel_span"') -> ?), 'e') = 0 THEN json_extract(coalesce(s.otel_dump, s.attributes -> '$."otel_span"'), ?) ELSE spoor_number(CAST((coalesce(s.otel_dump, s.attributes -> '$."otel_span"') -> ?) AS BLOB)) END END <> 0 END))"`,
  );
});

test('a computed item of a list is printed once', () => {
  const isOne = { $eq: [{ $getField: 'op_name' }, { $literal: 'f' }] };
  const request = { query: { $expr: { $in: [{ $getField: 'id' }, [isOne]] } } };
  expect(countOf(request as never).text).toMatchInlineSnapshot(
    `"SELECT count(*) AS count FROM calls c JOIN op o ON o.pk = c.op WHERE ((random() & 255 OR spoor_go_on(c.pk)) AND c.project = (SELECT pk FROM project WHERE name = ?)) AND (c.started_at IS NOT NULL AND ((SELECT (NOT (CASE (v0) WHEN 1 THEN 'true' WHEN 0 THEN 'false' END IS NULL)) AND (spoor_compare(json_quote(c.id || ''), CASE (v0) WHEN 1 THEN 'true' WHEN 0 THEN 'false' END) = 0) FROM (SELECT c.op IN (SELECT pk FROM op WHERE name = ?) AS v0))))"`,
  );
});

test('no text of a request becomes SQL', () => {
  const evil = "x') OR 1=1; DROP TABLE calls; --";
  const { text } = keysOf({
    project_id: evil,
    filter: { thread_ids: [evil], op_names: [evil, `${evil}:*`], input_refs: [`${evil}:*`] },
    query: { $expr: { $contains: { input: { $getField: `inputs.${evil}` }, substr: { $literal: evil } } } },
    sort_by: [
      { field: `output.${evil}`, direction: 'asc' },
      { field: `feedback.[${evil}].payload.${evil}`, direction: 'asc' },
    ],
  });
  expect(text).not.toContain('DROP');
});

test('the list page walks an index in its order', () => {
  const page = keysOf({
    filter: { trace_roots_only: true },
    sort_by: [{ field: 'started_at', direction: 'desc' }],
    limit: 50,
  });
  expect(stepsOf(page)).toMatchInlineSnapshot(`
    [
      "SEARCH c USING INDEX calls_root (project=? AND started_at>?)",
      "USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
    ]
  `);
  expect(stepsOf(keysOf({ limit: 50 }))).toMatchInlineSnapshot(`
    [
      "SEARCH c USING INDEX calls_time (project=? AND started_at>?)",
      "USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
    ]
  `);
});

test('a trace, a thread, an op and the children of a call each have an index', () => {
  expect(stepsOf(keysOf({ filter: { trace_ids: ['t1'] } }))).toMatchInlineSnapshot(`
    [
      "SEARCH c USING INDEX calls_trace (project=? AND trace_id=? AND started_at>?)",
      "USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
    ]
  `);
  expect(stepsOf(keysOf({ filter: { thread_ids: ['chat'] } }))).toMatchInlineSnapshot(`
    [
      "SEARCH c USING INDEX calls_thread (project=? AND thread_id=? AND started_at>?)",
      "USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
    ]
  `);
  expect(stepsOf(keysOf({ filter: { op_names: ['f'] } }))).toMatchInlineSnapshot(`
    [
      "SEARCH c USING INDEX calls_op (project=? AND op=? AND started_at>?)",
      "SEARCH op USING COVERING INDEX sqlite_autoindex_op_1 (name=?)",
      "USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
    ]
  `);
  expect(stepsOf(keysOf({ filter: { parent_ids: ['p'] } }))).toMatchInlineSnapshot(`
    [
      "SEARCH c USING INDEX calls_parent (project=? AND parent_id=? AND started_at>?)",
      "USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
    ]
  `);
  expect(stepsOf(keysOf({ filter: { call_ids: ['c1', 'c2'] } }))).toMatchInlineSnapshot(`
    [
      "SEARCH c USING INTEGER PRIMARY KEY (rowid=?)",
      "SEARCH calls USING COVERING INDEX calls_id (project=? AND id=?)",
      "SCAN json_each VIRTUAL TABLE INDEX 1:",
      "USE TEMP B-TREE FOR ORDER BY",
    ]
  `);
});

test('lists of ids and references never read the whole project', () => {
  expect(stepsOf(keysOf({ filter: { trace_ids: ['t1', 't2'] } }))[0]).toMatchInlineSnapshot(
    `"SEARCH c USING INDEX calls_trace (project=? AND trace_id=? AND started_at>?)"`,
  );
  expect(stepsOf(keysOf({ filter: { thread_ids: ['t1', 't2'] } }))[0]).toMatchInlineSnapshot(
    `"SEARCH c USING INDEX calls_thread (project=? AND thread_id=? AND started_at>?)"`,
  );
  expect(stepsOf(keysOf({ filter: { parent_ids: ['t1', 't2'] } }))[0]).toMatchInlineSnapshot(
    `"SEARCH c USING INDEX calls_parent (project=? AND parent_id=? AND started_at>?)"`,
  );
  expect(stepsOf(keysOf({ filter: { input_refs: ['svc:///acme/demo/object/a:v1'] } }))).toMatchInlineSnapshot(`
    [
      "SEARCH c USING INTEGER PRIMARY KEY (rowid=?)",
      "SEARCH ref USING PRIMARY KEY (project=? AND ref=? AND is_output=?)",
      "USE TEMP B-TREE FOR ORDER BY",
    ]
  `);
});

test('counts read an index only', () => {
  expect(stepsOf(countOf({}))).toMatchInlineSnapshot(`
    [
      "SEARCH c USING COVERING INDEX calls_time (project=? AND started_at>?)",
    ]
  `);
  expect(stepsOf(countOf({ filter: { op_names: ['f'] } }))).toMatchInlineSnapshot(`
    [
      "SEARCH c USING COVERING INDEX calls_op (project=? AND op=? AND started_at>?)",
      "SEARCH op USING COVERING INDEX sqlite_autoindex_op_1 (name=?)",
    ]
  `);
});

test('no index is demanded: a statement with a constant condition could not be carried out', () => {
  const lists = ['a', 'b'];
  const filters = [
    {},
    { trace_ids: lists, call_ids: lists, thread_ids: lists, parent_ids: lists, op_names: lists },
    { input_refs: lists, output_refs: lists, trace_roots_only: true },
  ];
  for (const filter of filters) {
    for (const value of [true, false, null]) {
      const request = { filter, query: { $expr: { $and: [{ $literal: value }] } as never } };
      for (const printed of [keysOf(request), countOf(request)]) {
        expect(printed.text).not.toMatch(/(?<!NOT )INDEXED/);
        expect(stepsOf(printed)).not.toEqual([]);
      }
    }
  }
});
