import { openWriteConnection } from '../../../src/storage/sqlite/connection.ts';

// Holds the lock for writing of a database until a line comes, and a moment more.
const database = openWriteConnection({ path: process.argv[2] ?? '', durable: 'crash' });
database.exec('BEGIN IMMEDIATE');
process.stdout.write('locked\n');
process.stdin.once('data', () =>
  setTimeout(() => {
    database.exec('COMMIT');
    database.close();
    process.exit();
  }, 300),
);
