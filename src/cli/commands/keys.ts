import { dirname } from 'node:path';
import { createKey, type KeyRecord, keysFile, listKeys, revokeKey } from '../../server/keys/keys.ts';
import { dataFolder } from '../data-folder.ts';
import { timeColumn } from '../output/columns.ts';
import { printJson } from '../output/json.ts';
import { toLine } from '../output/plain-text.ts';
import { tableLines } from '../output/table.ts';

export interface KeysOptions {
  readonly data?: string;
  readonly json?: true;
}

export interface CreateKeyOptions extends KeysOptions {
  readonly entities?: readonly string[];
  readonly import?: true;
}

/** Makes a key; the key itself is printed this once and kept nowhere. */
export function printNewKey(name: string, options: CreateKeyOptions): void {
  const { key, record } = createKey(dataFolder(options), {
    name,
    ...(options.entities && { entities: options.entities }),
    ...(options.import && { privileges: ['import'] }),
  });
  if (options.json) return printJson({ key, ...publicPart(record) });
  process.stdout.write(`${key}\n`);
  process.stderr.write(`Key "${toLine(record.id)}" for ${toLine(name)}; it is not shown again\n`);
}

export function printKeys(options: KeysOptions): void {
  const records = listKeys(dataFolder(options));
  if (options.json) return printJson(records.map(publicPart));
  if (records.length === 0) {
    process.stderr.write(`No keys in ${dirname(keysFile(dataFolder(options)))}\n`);
    return;
  }
  const lines = tableLines(records, [
    { head: 'id', cell: ({ id }) => toLine(id) },
    { head: 'name', cell: ({ name }) => toLine(name), least: 12 },
    { head: 'key', cell: ({ prefix }) => `${toLine(prefix)}…` },
    { head: 'entities', cell: ({ entities }) => toLine(entities.join(', ')), least: 10 },
    { head: 'privileges', cell: ({ privileges }) => privileges.join(', '), rank: 1 },
    timeColumn(({ createdAt }) => createdAt, 'created'),
  ]);
  process.stdout.write(`${lines.join('\n')}\n`);
}

export function printRevocation(id: string, options: KeysOptions): void {
  const folder = dataFolder(options);
  if (!revokeKey(folder, id)) throw new Error(`There is no key "${id}" in ${folder}`);
  if (options.json) printJson({ id, revoked: true });
  else process.stdout.write(`Key "${toLine(id)}" is revoked\n`);
}

/** Without the hash, which is nobody's business. */
function publicPart({ hash: _hash, ...rest }: KeyRecord): Omit<KeyRecord, 'hash'> {
  return rest;
}
