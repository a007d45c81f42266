import { type Endpoint, SERVED, type ServedName } from '../../../protocol/endpoints.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { Limits } from '../../../protocol/limits.ts';

/** The rules for the lists of a body, known before it is read: how long each may be, by the keys that lead to it. */
export interface ListRule {
  /** Of a list, or of an object that is one: prices by the names of their models. Absent: this holds lists only. */
  readonly max?: number;
  /** The keys that lead here, as a message names them. */
  readonly path: string;
  readonly members: ReadonlyMap<string, ListRule>;
}

/** Lists that mean the same wherever they are; all others within `filter` have the limit of filters. */
const COMMON: Readonly<Record<string, keyof Limits>> = {
  sort_by: 'sort_items',
  columns: 'columns',
  expand_columns: 'expand_columns',
  fields: 'columns',
};

const OWN: Partial<Record<ServedName, Readonly<Record<string, keyof Limits>>>> = {
  callUpsertBatch: { batch: 'batch_items' },
  callsComplete: { batch: 'batch_items' },
  callsDelete: { call_ids: 'calls_per_delete' },
  costCreate: { costs: 'costs_per_create' },
  feedbackBatchCreate: { batch: 'batch_items' },
  objDelete: { digests: 'digests_per_delete' },
  refsReadBatch: { refs: 'refs_per_batch' },
  tableCreate: { 'table.rows': 'rows_per_table' },
  tableQueryStatsBatch: { digests: 'filter_items' },
  tableUpdate: { updates: 'table_updates' },
};

/** The keywords that tell where lists are. */
interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

/** How long the lists in a request to an endpoint may be. `undefined`: there are none. */
export function listRules(
  name: ServedName,
  limits: Limits,
  spell: (key: string) => string = (key) => key,
): ListRule | undefined {
  const endpoint: Endpoint = SERVED[name];
  // TypeBox types hide the keywords, which are plain JSON Schema.
  return endpoint.request && ruleOf(endpoint.request as Schema, [], { name, limits, spell });
}

/** Refuses a list that is too long, before anything is known of its items. */
export function checkLength(count: number, rule: ListRule | undefined): void {
  if (rule?.max === undefined || count <= rule.max) return;
  throw new TracingError('too_many_items', `Cannot read "${rule.path}": it has more than ${rule.max} items`);
}

interface Place {
  readonly name: ServedName;
  readonly limits: Limits;
  /** The key as the dialect of a request has it. */
  readonly spell: (key: string) => string;
}

function ruleOf(schema: Schema, path: readonly string[], place: Place): ListRule | undefined {
  if (schema.anyOf) return schema.anyOf.map((option) => ruleOf(option, path, place)).find((rule) => rule !== undefined);
  if (isList(schema)) return { max: place.limits[limitOf(path, place.name)], path: path.join('.'), members: new Map() };
  const members = Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
    const rule = ruleOf(member, [...path, key], place);
    return rule ? [[key, rule] as const, [place.spell(key), rule] as const] : [];
  });
  return members.length === 0 ? undefined : { path: path.join('.'), members: new Map(members) };
}

/** A dictionary of described members is a list with names. */
function isList({ type, patternProperties = {} }: Schema): boolean {
  return type === 'array' || Object.values(patternProperties).some((member) => member.type !== undefined);
}

function limitOf(path: readonly string[], name: ServedName): keyof Limits {
  const limit = OWN[name]?.[path.join('.')] ?? (path[0] === 'filter' ? 'filter_items' : COMMON[path.join('.')]);
  if (limit === undefined) throw new TypeError(`There is no limit for the list "${path.join('.')}" of ${name}`);
  return limit;
}
