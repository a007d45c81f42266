import { TOKEN_KINDS } from '../../values/overviews/call-usage.ts';

// docs/decisions/0049-what-clickhouse-spends-on-a-call.md says why.
const TEXT = `Array(Tuple(model String, provider Nullable(String), host Nullable(String), tokens Tuple(${TOKEN_KINDS.map(
  (kind) => `${kind} Float64`,
).join(', ')})))`;

const NAME = 'LowCardinality(Nullable(String))';
const COLUMNS = `Array(Tuple(model LowCardinality(String), provider ${NAME}, host ${NAME}, ${TOKEN_KINDS.map(
  (kind) => `${kind} Float64`,
).join(', ')}))`;

const VALUES = [
  ...['model', 'provider', 'host'].map((name) => `tupleElement(u, '${name}')`),
  ...TOKEN_KINDS.map((kind) => `tupleElement(tupleElement(u, 'tokens'), '${kind}')`),
];

/**
 * The content of `usages` in columns: reading it from JSON took more time than all else of the tokens of a day. Merges make it of
 * older rows, and would take `u.model` for a column that is missing.
 */
const USES = `ALTER TABLE calls ADD COLUMN IF NOT EXISTS uses ${COLUMNS}
DEFAULT arrayMap(u -> tuple(${VALUES.join(', ')}), JSONExtract(usages, '${TEXT}')) CODEC(ZSTD(1)) AFTER usages`;

export const usesSchema: readonly string[] = [USES];
