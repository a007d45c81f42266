import { createServer } from '../../src/server/create-server.ts';
import { createKey } from '../../src/server/keys/keys.ts';

/** A service that runs until its parent lets go of it, and says what memory it holds and what CPU it took when it is asked. */
const [dataDir = ''] = process.argv.slice(2);
const keys = [
  createKey(dataDir, { name: 'plain', entities: ['beta'] }).key,
  createKey(dataDir, { name: 'importing', entities: ['beta'], privileges: ['import'] }).key,
];
const server = await createServer({ dataDir, port: 0, logLevel: 'error' });
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ bytes: process.memoryUsage().rss, cpuMs: (user + system) / 1000 });
});
process.on('disconnect', () => void server.close());
process.send?.({ url: server.url, apiKey: server.apiKey, keys });
