import { type Contracts, contractsOf, type StorageUnderTest, type TestRunner } from './contract.ts';
import { callsConformance } from './calls-conformance.ts';
import { capabilitiesConformance } from './capabilities-conformance.ts';
import { costsConformance } from './costs-conformance.ts';
import { deletionConformance } from './deletion-conformance.ts';
import { derivedTablesConformance } from './tables/derived-tables-conformance.ts';
import { endsConformance } from './ends-conformance.ts';
import { feedbackConformance } from './feedback-conformance.ts';
import { feedbackQueryConformance } from './feedback-query-conformance.ts';
import { filesConformance } from './files-conformance.ts';
import { namesConformance } from './names-conformance.ts';
import { objectDeletionConformance } from './object-deletion-conformance.ts';
import { objectQueryConformance } from './object-query-conformance.ts';
import { objectsConformance } from './objects-conformance.ts';
import { keysConformance } from './shared/keys-conformance.ts';
import { leasesConformance } from './shared/leases-conformance.ts';
import { filterConformance } from './filter-conformance.ts';
import { outlinesConformance } from './outlines-conformance.ts';
import { traceConformance } from './trace-conformance.ts';
import { overviewsConformance } from './overviews-conformance.ts';
import { promisesConformance } from './promises-conformance.ts';
import { queryConformance } from './query-conformance.ts';
import { readsConformance } from './reads-conformance.ts';
import { retentionConformance } from './retention-conformance.ts';
import { runsConformance } from './runs/runs-conformance.ts';
import { sortConformance } from './sort-conformance.ts';
import { streamConformance } from './stream-conformance.ts';
import { tablesConformance } from './tables/tables-conformance.ts';
import { threadsConformance } from './threads-conformance.ts';
import { traitsConformance } from './traits-conformance.ts';
import { upkeepConformance } from './upkeep-conformance.ts';
import { viewsConformance } from './views-conformance.ts';

export type { StorageUnderTest, TestRunner } from './contract.ts';

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
  overviewsConformance,
  outlinesConformance,
  traceConformance,
  traitsConformance,
  objectsConformance,
  objectQueryConformance,
  objectDeletionConformance,
  filesConformance,
  costsConformance,
  viewsConformance,
  runsConformance,
  feedbackConformance,
  feedbackQueryConformance,
  tablesConformance,
  derivedTablesConformance,
  readsConformance,
  retentionConformance,
  keysConformance,
  leasesConformance,
  promisesConformance,
  capabilitiesConformance,
  upkeepConformance,
];

/**
 * Checks that a storage keeps the contract. Runs under any test runner that has `describe` and `test`. What hangs on a
 * capability is checked where the storage declares it, and skipped elsewhere, with the reason.
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
