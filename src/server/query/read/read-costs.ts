import type { CostPurgeRequest, CostQueryRequest, CostRecord, BucketPrice } from '../../../protocol/cost.ts';
import { formatDateTime } from '../../../protocol/values/date-time.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { RecordField } from '../../../storage/contract/plan.ts';
import type { CostStore, StoredCost } from '../../../storage/contract/costs.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { purgeIds } from '../plan/purge-ids.ts';
import type { ReadContext } from './read-calls.ts';
import { planRecords, type RecordKind, selectRecords } from '../plan/select-records.ts';

const PUBLIC_FIELDS = [
  'id',
  'llm_id',
  'prompt_token_cost',
  'completion_token_cost',
  'prompt_token_cost_unit',
  'completion_token_cost_unit',
  'effective_date',
  'provider_id',
] as const satisfies (keyof CostRecord)[];

/** Fields that most prices lack, and that readers of before do not know. */
const BUCKET_PRICES = [
  'cache_read_input_token_cost',
  'cache_creation_input_token_cost',
  'reasoning_token_cost',
] as const satisfies BucketPrice[];

/** The prices of a project that a query means. */
export async function queryCosts(
  store: CostStore,
  request: CostQueryRequest,
  { caller, limits, signal }: ReadContext,
): Promise<CostRecord[]> {
  checkProject(caller, request.project_id);
  const fields = selectedFields(request.fields ?? []);
  const plan = planRecords(request, COSTS, limits);
  const options = { deadlineMs: limits.read_ms, signal };
  const costs = await selectRecords(await store.list(request.project_id), plan, COSTS, options);
  return costs.map((cost) => costRecord(cost, fields));
}

/** Removes prices by their ids; ids that are not there do no harm. */
export async function purgeCosts(
  store: CostStore,
  request: CostPurgeRequest,
  { caller, limits }: Pick<ReadContext, 'caller' | 'limits'>,
): Promise<void> {
  checkProject(caller, request.project_id);
  const ids = purgeIds(request.query, limits);
  if (ids.length > 0) await store.purge(request.project_id, ids);
}

/** How the fields of a price are compared and ordered; a price per token has a fraction and compares as a number. */
const FIELD_KINDS: Readonly<Record<string, 'text' | 'time' | 'integer'>> = {
  id: 'text',
  llm_id: 'text',
  prompt_token_cost: 'integer',
  completion_token_cost: 'integer',
  cache_read_input_token_cost: 'integer',
  cache_creation_input_token_cost: 'integer',
  reasoning_token_cost: 'integer',
  prompt_token_cost_unit: 'text',
  completion_token_cost_unit: 'text',
  effective_date: 'time',
  provider_id: 'text',
  pricing_level: 'text',
  pricing_level_id: 'text',
  created_by: 'text',
  created_at: 'time',
};

const COSTS: RecordKind<StoredCost> = {
  parseField: (path): RecordField => {
    const kind = Object.hasOwn(FIELD_KINDS, path) ? FIELD_KINDS[path] : undefined;
    if (kind === undefined) throw unknownField(path);
    return { kind, column: path };
  },
  valuesOf: (cost) => ({
    text: (column: keyof StoredCost | 'pricing_level' | 'pricing_level_id') => {
      if (column === 'pricing_level') return 'project';
      return String(cost[column === 'pricing_level_id' ? 'project_id' : column]);
    },
    time: (column: 'effective_date' | 'created_at') => cost[column],
    integer: (column: 'prompt_token_cost' | 'completion_token_cost' | BucketPrice) => cost[column],
    json: () => null,
  }),
};

/** Without a choice all that the price has. */
function selectedFields(fields: readonly string[]): ReadonlySet<string> | undefined {
  if (fields.length === 0) return undefined;
  const known: readonly string[] = [...PUBLIC_FIELDS, ...BUCKET_PRICES];
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown !== undefined) throw unknownField(unknown);
  return new Set(fields);
}

function costRecord(cost: StoredCost, fields: ReadonlySet<string> | undefined): CostRecord {
  const record: CostRecord = { ...cost, effective_date: formatDateTime(cost.effective_date) };
  const own = BUCKET_PRICES.filter((field) => fields?.has(field) === true || record[field] !== null);
  const entries = [...PUBLIC_FIELDS, ...own].map((field) => [
    field,
    fields?.has(field) === false ? null : record[field],
  ]);
  // The list of the fields is the list of the keys of the record.
  return Object.fromEntries(entries) as CostRecord;
}

function unknownField(path: string): TracingError {
  return new TracingError('invalid_field', `Cannot use field "${path.slice(0, 200)}": prices have no such field`);
}
