// Asks a storage so many questions, waits for none of them, and closes it; says when it is closed.
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';

const [path = '', count = '0'] = process.argv.slice(2);
const storage = await openSqliteStorage({ path });
const abort = new AbortController();
const { signal } = abort;
const asked = Array.from({ length: Number(count) }, async () => await storage.policy?.get({ signal }));
abort.abort(new Error('nobody waits'));
await Promise.allSettled(asked);
await storage.close();
process.stdout.write('closed');
