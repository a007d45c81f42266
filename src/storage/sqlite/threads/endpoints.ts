import { type ConnectionOptions, openReadConnection, openWriteConnection } from '../connection.ts';
import { checkOpenFiles, checkSameFile, DatabaseFiles } from '../upkeep/database-files.ts';
import { ExitGate } from './exit-gate.ts';
import { Interrupt } from './interrupt.ts';
import type { Answer, Message } from './messages.ts';
import { migrate } from '../schema/migrate.ts';
import { OneConnectionEndpoint } from './one-connection-endpoint.ts';
import { ownDatabase } from '../upkeep/ownership.ts';
import { ReadEndpoint } from './read-endpoint.ts';
import { ColumnCache } from '../columns/column-cache.ts';
import { StatementReader } from './statements.ts';
import { checkAfterStop, isUnclean, type Recovery } from '../upkeep/recovery.ts';
import { WriteEndpoint } from './write-endpoint.ts';
import { Writer } from '../write/writer.ts';

/** The far end of a channel: takes requests and answers each of them. */
export interface Endpoint {
  receive(message: Message): void;
  close(): void;
}

export interface OpenedEndpoint {
  readonly endpoint: Endpoint;
  readonly recovery: Recovery;
}

/** The switches that the owner of a thread holds over it. */
export interface ThreadSwitches {
  readonly interrupt?: Interrupt;
  readonly gate?: ExitGate;
}

/** `both` is for a database in memory, which only its own connection can see. */
export type Role = 'write' | 'read' | 'both';

export function openEndpoint(
  role: Role,
  options: ConnectionOptions,
  answer: (answer: Answer) => void,
  { interrupt = new Interrupt(), gate = new ExitGate() }: ThreadSwitches = {},
): OpenedEndpoint {
  if (role === 'read') {
    const check = () => {
      interrupt.check();
      gate.check();
    };
    const cache = new ColumnCache();
    const open = () => new StatementReader(openReadConnection(options, check), () => checkOpenFiles(options), cache);
    const endpoint = new ReadEndpoint(open, answer, interrupt);
    return { endpoint, recovery: { wasClean: true, check: 'none' } };
  }
  checkSameFile(options);
  const release = role === 'write' ? ownDatabase(options.path) : () => undefined;
  const wasUnclean = isUnclean(options.path);
  const database = openWriteConnection(options);
  const recovery = checkAfterStop(database, options.path, wasUnclean);
  migrate(database);
  if (role === 'write') {
    const files = new DatabaseFiles(options.path);
    return { endpoint: new WriteEndpoint(new Writer(database, { files, onClose: release }), answer, gate), recovery };
  }
  const writer = new Writer(database);
  return { endpoint: new OneConnectionEndpoint(writer, new StatementReader(database), answer), recovery };
}
