// docs/decisions/0044-clickhouse-rows-are-only-inserted.md says why.
/**
 * The row of a call that counts when they are merged: the one of the greatest number. Two services may write rows of
 * one call at the same time; so what must not be lost stands above the count of rows: that it was deleted, that it has
 * ended, and how often.
 */
const DELETED = 1n << 62n;
const ENDED = 1n << 61n;
const REVISION_SHIFT = 24n;
const MAX_REVISION = 2 ** 32 - 1;
const COUNT_MASK = (1n << REVISION_SHIFT) - 1n;

interface Progress {
  readonly revision: number | undefined;
  readonly isDeleted: boolean;
}

/** The number of the row that follows one. @default 0 for a call without rows */
export function nextVersion(before: bigint, { revision, isDeleted }: Progress): bigint {
  const count = ((before & COUNT_MASK) + 1n) & COUNT_MASK;
  const ended = revision === undefined ? 0n : ENDED | (BigInt(Math.min(revision, MAX_REVISION)) << REVISION_SHIFT);
  return (isDeleted ? DELETED : 0n) | ended | count;
}
