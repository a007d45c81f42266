import { openConnection } from '../../src/storage/clickhouse/open-connection.ts';
import { joinHalves } from '../../src/storage/clickhouse/upkeep/reconcile.ts';
import { GroupWriter } from '../../src/storage/clickhouse/write/group-writer.ts';

/** Joins all halves in a database, as the service does that has the lease: a process that can be killed while it does. */
const { connection } = await openConnection({ url: process.argv[2] });
const groups = new GroupWriter(connection);
process.stdout.write('ready\n');
while ((await joinHalves(connection, groups)) > 0);
await connection.close();
