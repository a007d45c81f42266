import { createClient } from '@clickhouse/client';
import { Connection } from '../../src/storage/clickhouse/connection.ts';
import { joinHalves } from '../../src/storage/clickhouse/upkeep/reconcile.ts';
import { GroupWriter } from '../../src/storage/clickhouse/write/group-writer.ts';

/**
 * Joins all halves in a database, as the service does that has the lease: a process that can be killed while it does, and, where it is
 * told a number, kills itself before the request of that number, when those before it are answered.
 */
const [, , url = '', killedAt = '0'] = process.argv;

class KilledConnection extends Connection {
  #requests = 0;
  readonly #underWay = new Set<Promise<unknown>>();

  override async *rows<Found>(...asked: Parameters<Connection['rows']>): AsyncGenerator<readonly Found[]> {
    await this.#step();
    yield* super.rows<Found>(...asked);
  }

  override async all<Found>(...asked: Parameters<Connection['all']>): Promise<Found[]> {
    await this.#step();
    return await super.all<Found>(...asked);
  }

  override async insert(...asked: Parameters<Connection['insert']>): Promise<void> {
    // Nothing is sent for no rows.
    if (asked[1].length === 0) return;
    const inserted = this.#step().then(() => super.insert(...asked));
    this.#underWay.add(inserted);
    await inserted;
    this.#underWay.delete(inserted);
  }

  async #step(): Promise<void> {
    this.#requests += 1;
    if (this.#requests !== Number(killedAt)) return;
    await Promise.all(this.#underWay);
    process.kill(process.pid, 'SIGKILL');
    // The signal may take a moment to come.
    await new Promise(() => undefined);
  }
}

const connection = new KilledConnection(createClient({ url }));
const groups = new GroupWriter(connection);
process.stdout.write('ready\n');
while ((await joinHalves(connection, groups)).length > 0);
await connection.close();
