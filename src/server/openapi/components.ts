import * as batch from '../../protocol/batch.ts';
import * as call from '../../protocol/call.ts';
import * as cost from '../../protocol/cost.ts';
import * as feedback from '../../protocol/feedback.ts';
import * as file from '../../protocol/file.ts';
import * as object from '../../protocol/object.ts';
import * as otel from '../../protocol/otel.ts';
import * as callChange from '../../protocol/page/call-change.ts';
import * as callRow from '../../protocol/page/call-row.ts';
import * as callsDifferences from '../../protocol/page/calls-differences.ts';
import * as callsExport from '../../protocol/page/calls-export.ts';
import * as callsStats from '../../protocol/page/calls-stats.ts';
import * as client from '../../protocol/page/client.ts';
import * as editor from '../../protocol/page/editor.ts';
import * as project from '../../protocol/page/project.ts';
import * as retention from '../../protocol/page/retention.ts';
import * as run from '../../protocol/page/run.ts';
import * as session from '../../protocol/page/session.ts';
import * as trace from '../../protocol/page/trace.ts';
import * as view from '../../protocol/page/view.ts';
import * as query from '../../protocol/query.ts';
import * as refBatch from '../../protocol/ref-batch.ts';
import * as service from '../../protocol/service.ts';
import * as table from '../../protocol/table.ts';
import * as thread from '../../protocol/thread.ts';
import { ERROR_SCHEMA } from './error-schema.ts';
import { describeExpression } from './expression.ts';
import { describeField } from './field-texts.ts';
import { type JsonSchema, publishSchema, refTo, type SchemaNames, type SourceSchema } from './json-schema.ts';

const INTERFACE = [batch, call, cost, feedback, file, object, otel, query, refBatch, service, table, thread];
const OF_PAGE = [
  callChange,
  callRow,
  callsDifferences,
  callsExport,
  callsStats,
  client,
  project,
  editor,
  retention,
  run,
  session,
  trace,
  view,
];
const MODULES = [...INTERFACE, ...OF_PAGE];

/** Every schema that a module of the protocol exports is a component of that name. */
const SCHEMAS = new Map<SourceSchema, string>(
  MODULES.flatMap((module) => Object.entries(module))
    .filter((entry): entry is [string, SourceSchema] => isSchema(entry[1]))
    .map(([name, schema]) => [schema, name]),
);

const NAMES: SchemaNames = { nameOf: (schema) => SCHEMAS.get(schema), describe: describeField };

/** Reference to the component that a schema of the protocol is. */
export function componentOf(schema: object): JsonSchema {
  const name = SCHEMAS.get(schema);
  if (name === undefined) {
    throw new TypeError('Cannot publish the schema of an endpoint: no module in the list of components.ts exports it');
  }
  return refTo(name);
}

/** The schemas that `parts` of the document refer to, and those that these refer to, in the order of the alphabet. */
export function componentSchemas(parts: object): Record<string, JsonSchema> {
  const entries = [...SCHEMAS].map(([schema, name]) => [name, publishSchema(schema, name, NAMES)] as const);
  const schemas: Record<string, JsonSchema> = { ...Object.fromEntries(entries), Error: ERROR_SCHEMA };
  describeExpression(schemas);
  const used = namesIn(parts);
  for (const name of used) for (const inner of namesIn(schemas[name] ?? {})) used.add(inner);
  return Object.fromEntries([...used].sort().map((name) => [name, schemas[name] ?? {}]));
}

/** Names of the schemas that something refers to. */
function namesIn(part: object): Set<string> {
  const references = JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  return new Set([...references].map(([, name = '']) => name));
}

/** TypeBox marks its schemas with symbols, and every one of ours has a type or is a union. */
function isSchema(value: unknown): value is SourceSchema {
  return typeof value === 'object' && value !== null && ('type' in value || 'anyOf' in value);
}
