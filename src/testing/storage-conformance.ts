import { callsConformance } from './storage-calls-conformance.ts';
import { type Contracts, contractsOf, type StorageUnderTest, type TestRunner } from './storage-contract.ts';
import { costsConformance } from './storage-costs-conformance.ts';
import { deletionConformance } from './storage-deletion-conformance.ts';
import { endsConformance } from './storage-ends-conformance.ts';
import { feedbackConformance } from './storage-feedback-conformance.ts';
import { feedbackQueryConformance } from './storage-feedback-query-conformance.ts';
import { filesConformance } from './storage-files-conformance.ts';
import { namesConformance } from './storage-names-conformance.ts';
import { objectDeletionConformance } from './storage-object-deletion-conformance.ts';
import { objectQueryConformance } from './storage-object-query-conformance.ts';
import { objectsConformance } from './storage-objects-conformance.ts';
import { filterConformance } from './storage-filter-conformance.ts';
import { queryConformance } from './storage-query-conformance.ts';
import { retentionConformance } from './storage-retention-conformance.ts';
import { sortConformance } from './storage-sort-conformance.ts';
import { streamConformance } from './storage-stream-conformance.ts';
import { tablesConformance } from './storage-tables-conformance.ts';
import { threadsConformance } from './storage-threads-conformance.ts';

export type { StorageUnderTest, TestRunner } from './storage-contract.ts';

/** Every part of the contract of a storage, in the order in which one would build an engine. */
const PARTS: readonly ((contracts: Contracts) => void)[] = [
  callsConformance,
  endsConformance,
  namesConformance,
  deletionConformance,
  filterConformance,
  queryConformance,
  sortConformance,
  streamConformance,
  threadsConformance,
  objectsConformance,
  objectQueryConformance,
  objectDeletionConformance,
  filesConformance,
  costsConformance,
  feedbackConformance,
  feedbackQueryConformance,
  tablesConformance,
  retentionConformance,
];

/**
 * Checks that a storage keeps the contract. Runs under any test runner that has `describe` and `test`.
 *
 * @example
 * storageConformance({ describe, test }, { name: 'sqlite', open: () => openStorage({ engine: 'sqlite' }) });
 */
export function storageConformance(runner: TestRunner, storage: StorageUnderTest): void {
  runner.describe(`${storage.name} keeps the contract of a storage`, () => {
    const contracts = contractsOf(runner, storage);
    for (const part of PARTS) part(contracts);
    contracts.checkExcuses();
  });
}
