import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { WAYS } from '../src/ui/empty/ways.ts';
import { buildOnce } from './build.ts';
import { FIRST_PAGES, firstStepsOf, withoutComment } from './docs/first-steps.ts';
import { environmentOf, ROOT } from './flow/service-process.ts';
import { packedFolder } from './page/packed-program.ts';

vi.setConfig({ testTimeout: 120_000 });

const shell = promisify(execFile);

beforeAll(async () => {
  await buildOnce();
  packedFolder();
}, 120_000);

/** The languages of the pages: how the program is saved, and what its line is in each. */
const LANGUAGES = {
  TypeScript: { file: 'app.mts', run: 'npx spoor run -- npx tsx app.mts', source: async (code: string) => code },
  JavaScript: {
    file: 'app.mjs',
    run: 'npx spoor run -- node app.mjs',
    // The types left out, as the pages say.
    source: async (code: string) => (await transform(code, { loader: 'ts', keepNames: true })).code,
  },
} as const;

/** Lines of each page, and what has to be among the lines that they print. */
const SEEN: Readonly<Record<(typeof FIRST_PAGES)[number], Readonly<Record<string, readonly RegExp[]>>>> = {
  'README.md': {
    'npx spoor run -- npx tsx app.mts': [/^You asked: What is a spoor\?$/],
    'npx spoor': [/^see what was recorded: http:/],
    'npx spoor show': [/^✓ main /, /^└─ ✓ ask .* 16 tok/],
  },
  'docs/start.md': {
    'npx spoor run -- npx tsx app.mts': [/^total 60$/],
    'npx spoor': [/^see what was recorded: http:/],
    'npx spoor show': [/^✓ report /, /^├─ ✓ fetchPrice /, /^└─ ✓ fetchPrice /],
    'npx spoor ls': [/ report .* success /],
    'npx spoor open': [/^http:\/\/127\.0\.0\.1:\d+\/ui\/login#token=\S+$/],
  },
};

const CASES = FIRST_PAGES.flatMap((page) =>
  (['TypeScript', 'JavaScript'] as const).map((language) => [page, language] as const),
);

test.each(CASES)('%s leads from an empty folder to a trace, in %s', async (page, language) => {
  const { file, run, source } = LANGUAGES[language];
  const text = readFileSync(join(ROOT, page), 'utf8');
  expect(text).toContain(`\`${file}\``);
  expect(text).toContain(run);
  const folder = new EmptyFolder();
  await folder.type('npm init -y');
  const shown = new Map<string, string>();
  for (const step of firstStepsOf(page)) {
    if (step.kind === 'program') writeFileSync(join(folder.path, file), await source(step.text));
    else {
      const line = withoutComment(step.text);
      // For JavaScript the pages name another command in the place of this one.
      const isRun = line === LANGUAGES.TypeScript.run;
      shown.set(line, await folder.type(isRun ? run : step.text));
    }
  }
  for (const [line, wanted] of Object.entries(SEEN[page])) {
    const lines = shown.get(line)?.split('\n');
    expect(lines).toEqual(expect.arrayContaining(wanted.map((each) => expect.stringMatching(each) as string)));
  }
});

test('the page without any call does, too', async () => {
  const folder = new EmptyFolder();
  await folder.type('npm init -y');
  const typed = WAYS[0].steps({ url: 'http://127.0.0.1:1', project: 'local/first' });
  for (const step of typed) {
    if (!/^np[mx] /.test(step)) writeFileSync(join(folder.path, 'app.mts'), step);
    else await folder.type(step);
    if (step !== 'npm install spoor') continue;
    // A loader that is there already: without it npx would ask a registry. The service is the one whose page is read.
    await folder.type('npm install -D tsx');
    await folder.type('npx spoor');
  }
  expect(await folder.type('npx spoor show')).toMatch(/^✓ answer /m);
});

/** The folder of somebody who begins, with a state folder of his own; what he starts is ended when the test is. */
class EmptyFolder {
  readonly #home = mkdtempSync(join(tmpdir(), 'spoor-first-'));
  /** Named, as the project takes its name. */
  readonly path = join(this.#home, 'first-steps');
  #stop: () => Promise<void> = async () => {};

  constructor() {
    mkdirSync(this.path);
    onTestFinished(async () => {
      await this.#stop();
      rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  /** Runs a line in a shell, or starts what goes on until it is ended; returns what it prints on standard output. */
  async type(line: string): Promise<string> {
    const command = withoutComment(line);
    if (command.startsWith('npm install')) return this.#install(command);
    if (command === 'npx spoor') return await this.#startService(line);
    return (await shell('sh', ['-c', line], { cwd: this.path, env: this.#environment() })).stdout;
  }

  /** What npm would bring from its registry: the packed package, and a loader that is installed here already. */
  #install(command: string): string {
    const target = join(this.path, 'node_modules');
    if (command === 'npm install spoor') {
      cpSync(join(packedFolder(), 'node_modules'), target, { recursive: true, verbatimSymlinks: true });
    } else if (command === 'npm install -D tsx') {
      symlinkSync(join(ROOT, 'node_modules', 'tsx'), join(target, 'tsx'));
      const bin = join(target, '.bin');
      symlinkSync(relative(bin, join(target, 'tsx', 'dist', 'cli.mjs')), join(bin, 'tsx'));
    } else throw new Error(`Nobody has said what "${command}" brings`);
    return '';
  }

  async #startService(line: string): Promise<string> {
    const child = spawn('sh', ['-c', line], {
      cwd: this.path,
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    // A signal to npx would not reach what it has started.
    this.#stop = async () => {
      const { pid } = JSON.parse(readFileSync(join(this.#home, 'server.json'), 'utf8')) as { pid: number };
      process.kill(pid);
      await exited;
    };
    let printed = '';
    for await (const each of createInterface({ input: child.stdout })) {
      printed += `${each}\n`;
      if (each.startsWith('see what was recorded')) return printed;
    }
    throw new Error(`The service ended before it said where its page is: ${printed}`);
  }

  /** On any port, without a desktop, and without a registry. */
  #environment(): NodeJS.ProcessEnv {
    return { ...environmentOf(this.#home), SPOOR_PORT: '0', CI: '1', npm_config_offline: 'true' };
  }
}
