import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { planSelection } from '../../../src/server/query/plan/plan-calls.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { PROJECT, startFact } from '../../../src/testing/storage/facts.ts';

/** Ends by `process.exit` while its threads are in the middle of writes and reads. */
const [path = ''] = process.argv.slice(2);
const storage = await openSqliteStorage({ path });
const inputs = JSON.stringify({ text: 'x'.repeat(20_000) });
const batch = (name: string) => Array.from({ length: 200 }, (_, index) => startFact(`${name}-${index}`, { inputs }));
for (const name of ['a', 'b', 'c']) await storage.calls.write(batch(name));

const scan = {
  $expr: {
    $contains: { input: { $getField: 'inputs.text' }, substr: { $literal: 'é' }, case_insensitive: true },
  },
};
const selection = planSelection({ project_id: PROJECT, query: scan }, DEFAULT_LIMITS);
let scans = 0;
const failed = (error: unknown) => process.stderr.write(String(error));
// Each thread begins the next one when it has answered, so both are inside SQLite almost all of the time.
const scanOn = (): void => {
  void storage.calls.count(selection).then(() => ++scans && scanOn(), failed);
};
const writeOn = (round: number): void => {
  void storage.calls.write(batch(`w${round}`)).then(() => writeOn(round + 1), failed);
};
for (let reader = 0; reader < 4; reader++) scanOn();
for (let writer = 0; writer < 4; writer++) writeOn(writer * 1_000_000);
await new Promise<void>((resolve) => {
  const look = () => (scans >= 4 ? resolve() : setImmediate(look));
  look();
});
process.exit(7);
