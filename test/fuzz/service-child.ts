import { createServer } from '../../src/server/create-server.ts';
import { createKey } from '../../src/server/keys.ts';

/** A service that runs until its parent lets go of it, and says how much memory it holds when it is asked. */
const [dataDir = ''] = process.argv.slice(2);
const keys = [
  createKey(dataDir, { name: 'plain', entities: ['beta'] }).key,
  createKey(dataDir, { name: 'importing', entities: ['beta'], privileges: ['import'] }).key,
];
const server = await createServer({ dataDir, port: 0, logLevel: 'error' });
process.on('message', () => process.send?.(process.memoryUsage().rss));
process.on('disconnect', () => void server.close());
process.send?.({ url: server.url, apiKey: server.apiKey, keys });
