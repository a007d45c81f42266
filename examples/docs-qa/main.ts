// Answers questions over the Markdown pages of this repository, in two conversations at once, and shows what Spoor
// recorded of it: pages read and split, searches, model calls with tokens, a tool call, a step that fails and is
// tried again, streamed answers. A second process reads everything back from the service and compares it with a
// ledger that this program keeps on its own. `--keep` leaves the service running; `--unwrapped` takes the wrapper off the
// client of the model, for `spoor run`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomUUID } from 'node:crypto';
import { init, shutdown, traced, withContext, withThread } from 'spoor';
import { Assistant } from './assistant.ts';
import { openLedger } from './ledger.ts';
import { Library } from './library.ts';
import { type Model, openModel } from './model.ts';
import { pageReader } from './pages.ts';
import { startService } from './service.ts';

const PROJECT = 'demo/docs-qa';

const CONVERSATIONS = {
  newcomer: ['Where do records wait while no service can be reached?', 'How does a wrapped function behave?'],
  operator: [
    'When does the service answer a batch: before or after the commit?',
    'What does doctor tell when something is missing?',
  ],
};

const shouldKeep = process.argv.includes('--keep');
const isWrapped = !process.argv.includes('--unwrapped');
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'spoor-demo-'));
const home = process.env['SPOOR_HOME'] ?? join(folder, 'home');
const ledgerFile = join(folder, 'ledger.txt');
const session = randomUUID();

const ledger = openLedger(ledgerFile);
const service = await startService(home, { isDetached: shouldKeep });
let isKept = false;
try {
  init({ url: service.url, apiKey: service.apiKey, project: PROJECT });
  const model = await openModel(ledger, { isWrapped });
  console.log(`The model is ${model.description}.\n`);
  await withContext({ attributes: { session } }, () => runDemo(model));
  await model.close();
  await shutdown();
  process.exitCode = await readBack();
  if (shouldKeep) {
    isKept = true;
    service.leave();
    console.log(`The service keeps running at ${service.url}. Next, in this folder:\n${nextLines().join('\n')}`);
  } else console.log('Nothing of it is kept. To look at it: npm run demo -- --keep');
} finally {
  if (!isKept) {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What to type to look at what was recorded, and to end it. */
function nextLines(): string[] {
  const spoor = `SPOOR_HOME=${home} SPOOR_PROJECT=${PROJECT} node dist/cli/bin.cjs`;
  return [...['ls', 'show', 'open'].map((command) => `  ${spoor} ${command}`), `  kill ${service.pid}`];
}

async function runDemo(model: Model): Promise<void> {
  const pages = pageReader(root, ledger);
  const library = new Library(ledger);
  const buildLibrary = traced(async function buildLibrary(): Promise<number> {
    ledger.note('buildLibrary');
    return library.add(await pages.readSections());
  });
  console.log(`The library holds ${await buildLibrary()} sections.\n`);
  const talks = Object.entries(CONVERSATIONS).map(async ([thread, questions]) => {
    const assistant = new Assistant({ library, model, ledger, readPage: pages.readPage });
    return withThread(`${thread}-${session.slice(0, 8)}`, () => converse(thread, assistant, questions));
  });
  for (const talk of await Promise.all(talks)) console.log(talk);
}

async function converse(name: string, assistant: Assistant, questions: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const question of questions) {
    let answer = '';
    for await (const piece of assistant.reply(question)) answer += piece;
    lines.push(`${name}: ${question}\n   ${answer}\n`);
  }
  return lines.join('\n');
}

/** Runs the reading half in a process that has never seen the recorded calls. */
async function readBack(): Promise<number> {
  const program = fileURLToPath(new URL('./read-back.ts', import.meta.url));
  const args = [home, service.url, service.apiKey, PROJECT, ledgerFile, session];
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], { stdio: 'inherit' });
  const [exitCode] = (await once(child, 'exit')) as [number | null];
  return exitCode ?? 1;
}
