import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { endFact, startFact } from '../../../src/testing/storage/facts.ts';

/** Writes batch after batch until it is killed; a line on standard output says that a batch was acknowledged. */
const [path = '', round = ''] = process.argv.slice(2);
const storage = await openSqliteStorage({ path });
for (let batch = 0; ; batch++) {
  const ids = Array.from({ length: 20 }, (_, index) => `${round}-${batch}-${index}`);
  await storage.calls.write(ids.flatMap((id) => [startFact(id), endFact(id, { output: JSON.stringify(id) })]));
  process.stdout.write(`${batch}\n`);
}
