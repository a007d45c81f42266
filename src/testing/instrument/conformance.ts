import { strict as assert } from 'node:assert';
import type { TransparencyRunner } from '../transparency/subject.ts';
import { createBench } from './bench.ts';
import { faultsConformance } from './faults.ts';
import type { IntegrationUnderTest } from './integration.ts';
import { recordsConformance } from './records.ts';
import { resultsConformance } from './results.ts';
import { streamsConformance } from './streams.ts';

export type { CallUnderTest, IntegrationUnderTest } from './integration.ts';

/**
 * Checks that an integration records the calls of its library and cannot be felt: each call is made with and without
 * capture, and the two are compared. Runs under any test runner that has `describe` and `test`; starts a service inside
 * this process, which is to have recorded nothing before.
 *
 * @example
 * instrumentConformance({ describe, test, afterAll }, {
 *   name: 'oracle',
 *   create: () => new Oracle(),
 *   instrument: instrumentOracle,
 *   calls: { ask: { op: 'oracle.ask', act: (oracle) => oracle.ask('Who?'), inputs: { question: 'Who?' } } },
 * });
 */
export function instrumentConformance<Client>(
  runner: TransparencyRunner,
  integration: IntegrationUnderTest<Client>,
): void {
  assert(Object.keys(integration.calls).length > 0, `Cannot check "${integration.name}": there is no call to make`);
  runner.describe(`the integration ${integration.name} records, and cannot be felt`, () => {
    const bench = createBench(runner, integration);
    resultsConformance(bench);
    streamsConformance(bench);
    recordsConformance(bench);
    faultsConformance(bench);
    bench.checkExcuses();
  });
}
