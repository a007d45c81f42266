import { createClient } from '@clickhouse/client';
import { onTestFinished } from 'vitest';
import { Connection, type Row } from '../../src/storage/clickhouse/connection.ts';
import { GroupWriter } from '../../src/storage/clickhouse/write/group-writer.ts';
import { StartedPlaces } from '../../src/storage/clickhouse/write/started-places.ts';

/** A writer of another service, which has looked at what is stored and stops before it writes a row, once. */
export function gatedWriter(url: string) {
  const gate = signal();
  const reached = signal();
  class GatedConnection extends Connection {
    readonly isReached = reached.given;

    override async insert(table: string, rows: readonly Row[]): Promise<void> {
      if (table === 'calls') {
        reached.give();
        await gate.given;
      }
      await super.insert(table, rows);
    }
  }
  const connection = new GatedConnection(createClient({ url }));
  onTestFinished(() => connection.close());
  return { connection, groups: settlingWriter(connection), goOn: gate.give };
}

/** A writer that takes the rows away that have no key as soon as it is told to. */
export function settlingWriter(connection: Connection): GroupWriter {
  return new GroupWriter(connection, new StartedPlaces({ ageMs: 0, slowerTimes: 0 }));
}

function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}
