import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { deepStrictEqual } from 'node:assert';
import { createServer } from 'spoor/server';
import { makeHome } from '../service-process.ts';

/**
 * Walks the page of the dialect with the vendor's Python client from its registry, in an environment of its own:
 * `npm run dialect:python`, or with an environment that is there, `-- --python <program>`. It knows no address but that of the service, and fails where it sends anything elsewhere but for one look for a newer version.
 */
const CLIENT = 'weave==0.54.0';

/** What the program prints when everything works. */
const EXPECTED: readonly unknown[] = [
  ['client', 'acme', 'python'],
  [
    'calls',
    [
      ['outer', false, true],
      ['inner', false, false],
      ['fails', true, true],
      ['inner', false, true],
    ],
  ],
  ['outer', 2, { doubled: 4 }, 'test', 'success'],
  ['thread', ['a question?\nwith a second line']],
  ['usernames', 1],
  ['renamed', 'renamed'],
  ['feedback', ['custom', 'wandb.note.1', 'wandb.reaction.1']],
  ['object', 1],
  [
    'dataset',
    [
      ['one', 1],
      ['two', 2],
    ],
  ],
  ['prompt', 'Hello you'],
  ['evaluation', 2],
  ['costs', [['their-model', 0.5]]],
  ['deleted', true],
];

const PYTHON = 'python3';

const { values } = parseArgs({ options: { python: { type: 'string' } } });

await main();

async function main(): Promise<void> {
  if (spawnSync(PYTHON, ['-m', 'venv', '--help']).status !== 0) {
    process.stdout.write('skipped: there is no Python that can make environments\n');
    return;
  }
  const { home, remove } = makeHome();
  try {
    await walk(values.python ?? installClient(home), home);
    process.stdout.write(`${CLIENT}: ${EXPECTED.length} of ${EXPECTED.length} as the page says\n`);
  } finally {
    remove();
  }
}

/** The Python of an environment that has the client. */
function installClient(home: string): string {
  const environment = join(home, 'python');
  run(PYTHON, ['-m', 'venv', environment]);
  const python = join(environment, 'bin', 'python');
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', CLIENT]);
  return python;
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`, { cause: error });
}

async function walk(python: string, home: string): Promise<void> {
  // The client takes keys of this length only.
  const apiKey = 'k'.repeat(40);
  const server = await createServer({ home, dataDir: join(home, 'data'), port: 0, apiKey, logLevel: 'warn' });
  const elsewhere = await openElsewhere();
  try {
    const env = environmentOf(home, `${server.url}/dialect/w`, elsewhere.url, apiKey);
    deepStrictEqual(await printed(python, env), EXPECTED);
    // It looks once, and without its key, whether its package registry has a newer version of it.
    deepStrictEqual(elsewhere.asked.slice(1), []);
  } finally {
    elsewhere.close();
    await server.close();
  }
}

/** Whatever is not on this machine would go through this proxy, which notes who was asked for and refuses. */
async function openElsewhere(): Promise<{ url: string; asked: string[]; close: () => void }> {
  const asked: string[] = [];
  const proxy = createTcpServer((socket) => {
    socket.once('data', (data: Buffer) => {
      asked.push(data.toString('latin1').split('\r\n', 1)[0] ?? '');
      socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
    });
    socket.on('error', () => socket.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, asked, close: () => void proxy.close() };
}

/** One address is all that leads it here; nothing of the environment of this process reaches the client. */
function environmentOf(home: string, address: string, proxy: string, apiKey: string): NodeJS.ProcessEnv {
  const folder = join(home, 'client');
  mkdirSync(folder, { recursive: true });
  return {
    PATH: process.env['PATH'],
    HOME: folder,
    WANDB_BASE_URL: address,
    WANDB_API_KEY: apiKey,
    // Else its own errors are told to a service of its maker.
    WANDB_ERROR_REPORTING: 'false',
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    NO_PROXY: '127.0.0.1,localhost',
    PYTHONUTF8: '1',
  };
}

async function printed(python: string, env: NodeJS.ProcessEnv): Promise<unknown[]> {
  const program = fileURLToPath(new URL('program.py', import.meta.url));
  const child = spawn(python, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The client ended with ${code}:\n${output}\n${errors}`);
  // The client prints lines of its own for people.
  const lines = output.split('\n').filter((line) => line.startsWith('['));
  return lines.map((line) => JSON.parse(line) as unknown);
}
