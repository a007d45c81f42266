import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createGunzip, createGzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Session } from 'chdb';

/**
 * The HTTP interface of ClickHouse over chDB, as far as `@clickhouse/client` uses it, in a process of its own: what goes
 * wrong in the engine ends this process, never the one that tests. Prints its address when it can be asked, and ends with
 * its standard input.
 *
 * Not like a server: nobody is authenticated, progress is not told, and an error after the first byte cuts the connection.
 */

const SESSIONS = 6;
const [folder, port = '0'] = process.argv.slice(2);

/** Settings that stay with a session are set back after each request. */
const idle = Array.from({ length: SESSIONS }, () => new Session(folder));
const waiting = [];

async function takeSession() {
  return idle.pop() ?? (await new Promise((resolve) => waiting.push(resolve)));
}

function giveBack(session) {
  const next = waiting.shift();
  if (next) next(session);
  else idle.push(session);
}

/** Parameters of the URL that are no settings. */
const NO_SETTINGS = [
  'query',
  'database',
  'query_id',
  'session_id',
  'role',
  'enable_http_compression',
  'wait_end_of_query',
  // A session would stay so.
  'readonly',
];

const server = createServer({ maxHeaderSize: 8 << 20 }, (request, response) => {
  answer(request, response).catch((error) => fail(response, error));
});

async function answer(request, response) {
  const url = new URL(request.url ?? '/', 'http://shim');
  if (url.pathname === '/ping') {
    response.end('Ok.\n');
    return;
  }
  const { sql, insert, parameters } = await readStatement(request, url);
  const session = await takeSession();
  const settings = [...url.searchParams].filter(([key]) => !NO_SETTINGS.includes(key) && !key.startsWith('param_'));
  try {
    session.query(`USE ${name(url.searchParams.get('database') || 'default')}`);
    set(
      session,
      [...parameters, ...settings].map(([key, value]) => `${key} = ${literal(value)}`),
    );
    await (insert ? insertRows(session, insert, response) : run(session, sql, url, response));
  } finally {
    set(
      session,
      settings.map(([key]) => `${key} = DEFAULT`),
    );
    giveBack(session);
  }
}

/** One statement for all: each takes as long as a small read does of a server. */
function set(session, assignments) {
  if (assignments.length > 0) session.query(`SET ${assignments.join(', ')}`);
}

async function insertRows(session, { table, columns, format, values }, response) {
  const { rowsWritten } = await session.insert({ table, columns: columns.split(', '), format, values });
  response.setHeader('X-ClickHouse-Summary', JSON.stringify({ written_rows: String(rowsWritten) }));
  response.end();
}

async function run(session, sql, url, response) {
  response.setHeader('X-ClickHouse-Query-Id', url.searchParams.get('query_id') ?? '');
  if (!/^\s*(select|with|show|describe)\b/i.test(sql)) {
    const result = await session.queryAsync(sql, { format: formatOf(sql) });
    response.setHeader('X-ClickHouse-Summary', JSON.stringify({ written_rows: String(result.rowsRead) }));
    response.end(Buffer.from(result.bytes()));
    return;
  }
  const { stream, chunks, first } = await openStream(session, sql);
  try {
    const body = Readable.from(bytesOf(first, chunks));
    if (url.searchParams.get('enable_http_compression') !== '1') return await pipeline(body, response);
    response.setHeader('Content-Encoding', 'gzip');
    await pipeline(body, createGzip({ level: 1 }), response);
  } catch (error) {
    if (error?.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    stream.cancel();
  }
}

/** What is wrong with a statement is known with its first chunk. */
async function openStream(session, sql, isAgain = false) {
  const stream = session.queryStream(sql, { format: formatOf(sql) });
  const chunks = stream[Symbol.asyncIterator]();
  try {
    return { stream, chunks, first: await chunks.next() };
  } catch (error) {
    stream.cancel();
    // The end of a stream before it, whose client was killed, may have ended this one; nothing of it was sent.
    if (isAgain || !String(error).includes('No active streaming query')) throw error;
    return await openStream(session, sql, true);
  }
}

async function* bytesOf(first, chunks) {
  for (let next = first; !next.done; next = await chunks.next()) yield Buffer.from(next.value.raw());
}

function formatOf(sql) {
  return /\bFORMAT\s+(\w+)\s*;?\s*$/i.exec(sql)?.[1] ?? 'TabSeparated';
}

/** Rows are bytes to the engine: as a part of a statement they would be copied again and again. */
const INSERT = /^\s*INSERT\s+INTO\s+(?<table>\w+)\s+\((?<columns>[\w, ]+)\)\s+FORMAT\s+(?<format>JSON\w*EachRow)\s*$/;

/** As much as a server takes at its defaults, `http_max_field_value_size` and `http_max_uri_size`. */
const MAX_FIELD_BYTES = 128 * 1024;
const MAX_URL_BYTES = 1024 * 1024;

function checkSizes(url) {
  if (url.href.length > MAX_URL_BYTES) throw new Error('Code: 1000. URI too long');
  const isLong = (value) => encodeURIComponent(value).length > MAX_FIELD_BYTES;
  if ([...url.searchParams.values()].some(isLong)) throw new Error('Code: 1000. Field value too long');
}

async function readStatement(request, url) {
  checkSizes(url);
  const parameters = [...url.searchParams].filter(([key]) => key.startsWith('param_'));
  const encoded = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request;
  const bytes = Buffer.concat(await encoded.toArray());
  const query = url.searchParams.get('query');
  const insert = query === null ? null : INSERT.exec(query);
  if (insert) return { sql: query, insert: { ...insert.groups, values: bytes }, parameters };
  return { sql: query === null ? bytes.toString() : `${query}\n${bytes.toString()}`, parameters };
}

function fail(response, error) {
  const text = error instanceof Error ? error.message : String(error);
  const [, code = '0'] = /Code: (\d+)/.exec(text) ?? [];
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(500, { 'X-ClickHouse-Exception-Code': code });
  response.end(text);
}

function literal(value) {
  // The engine takes a statement up to its first NUL.
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`;
}

function name(value) {
  return `\`${value.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}

process.stdin.resume();
process.stdin.on('end', () => {
  // It was made for this process.
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  process.exit(0);
});
server.listen(Number(port), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
