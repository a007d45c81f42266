import { isArrayIndex } from '../../values/json-path.ts';
import type { Field, JsonColumn } from '../../contract/plan.ts';
import type { JsonPlace } from '../../sql/dialect.ts';
import { bind, join, raw, type Sql, sql } from '../../sql/sql.ts';

const BODIES: Readonly<Record<Exclude<JsonColumn, 'attributes'>, Sql>> = {
  inputs: raw('s.inputs'),
  output: raw('e.output'),
  summary: raw('e.summary'),
};

/** More index parts than this would double the paths too often. */
const MAX_INDEXES = 3;

/** The SQL for a value in a body: the type of JSON, the SQL value, the JSON text; NULL where it is missing. */
export interface JsonAccess {
  readonly type: Sql;
  readonly value: Sql;
  readonly token: Sql;
}

export function jsonAccess(place: JsonPlace): JsonAccess {
  const { json, path, isOneOfMany = false } = place;
  return isOneOfMany || !isExpressible(path)
    ? accessAt(askedOf('spoor_at', place), ['$'])
    : accessAt(json, sqlitePaths(path));
}

/** A function of ours that gets a JSON text and the path of a value in it: as little of a body as SQLite can find. */
export function askedOf(name: string, { json, path }: JsonPlace): Sql {
  const end = path.findIndex((part) => isArrayIndex(part) || !isPlainName(part));
  const names = end < 0 ? path : path.slice(0, end);
  const text = names.length === 0 ? json : sql`(${json} -> ${bind(sqlitePaths(names)[0] ?? '$')})`;
  return sql`${raw(name)}(${text}, ${bind(JSON.stringify(path.slice(names.length)))})`;
}

/**
 * A value that is looked at in several ways. One whose path can be read in several ways is found once, in a table of one
 * row: printed for each look, a statement of many such values takes seconds to prepare, which nothing can end.
 */
export function readPlace(place: JsonPlace, look: (access: JsonAccess) => Sql): Sql {
  const access = jsonAccess(place);
  const { path, isOneOfMany = false } = place;
  if (!isOneOfMany && isExpressible(path) && !path.some(isArrayIndex)) return look(access);
  return sql`(SELECT ${look(accessAt(raw('found'), ['$']))} FROM (SELECT ${access.token} AS found))`;
}

/** Where a value of a body is. A span of OpenTelemetry is stored apart and shown among the attributes. */
export function placeOf({ column, path }: Field & { readonly kind: 'json' }): JsonPlace {
  if (column !== 'attributes') return { json: BODIES[column], path };
  const [first, ...rest] = path;
  if (first === undefined) return { json: SHOWN_ATTRIBUTES, path };
  return first === 'otel_span' ? { json: SPAN, path: rest } : { json: raw('s.attributes'), path };
}

const SPAN = raw(`coalesce(s.otel_dump, s.attributes -> '$."otel_span"')`);
const SHOWN_ATTRIBUTES = raw(
  'CASE WHEN s.otel_dump IS NULL THEN s.attributes ELSE spoor_shown_attributes(s.attributes, s.otel_dump) END',
);

function accessAt(body: Sql, paths: readonly string[]): JsonAccess {
  const onEach = (access: (path: Sql) => Sql) => firstOf(paths.map((path) => access(bind(path))));
  // Printed when it is asked for: of a large query that is most of the work.
  return {
    get type() {
      return onEach((path) => sql`json_type(${body}, ${path})`);
    },
    get value() {
      return onEach((path) => sql`json_extract(${body}, ${path})`);
    },
    get token() {
      return onEach((path) => sql`(${body} -> ${path})`);
    },
  };
}

/** Of an array and an object reading of a path at most one finds something. */
function firstOf(readings: readonly Sql[]): Sql {
  const [only] = readings;
  if (readings.length === 1 && only !== undefined) return only;
  return sql`coalesce(${join(readings, ', ')})`;
}

function isExpressible(path: readonly string[]): boolean {
  return path.every(isPlainName) && path.filter(isArrayIndex).length <= MAX_INDEXES;
}

/**
 * Paths have no escapes, so names with quotes, backslashes or control characters cannot be written; below an
 * array an empty name finds the array itself.
 */
function isPlainName(part: string): boolean {
  return part !== '' && !/["\\\p{Cc}]/u.test(part);
}

function sqlitePaths(path: readonly string[]): string[] {
  let paths = ['$'];
  for (const part of path) {
    const names = paths.map((before) => `${before}."${part}"`);
    paths = isArrayIndex(part) ? [...paths.map((before) => `${before}[${part}]`), ...names] : names;
  }
  return paths;
}
