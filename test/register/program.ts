import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { type Call, createReader } from 'spoor/reader';
import { expect, onTestFinished } from 'vitest';
import { segmentsIn } from '../flow/faulty-way.ts';
import { projectOfTest } from '../flow/machine.ts';
import { type Finished, ROOT, runNode, type ServiceProcess } from '../flow/service-process.ts';

const HOOK_PACKAGES = ['es-module-lexer', 'import-in-the-middle', 'picomatch', 'require-in-the-middle'];

export type Format = 'esm' | 'cjs';

/** The folder of a user's program, with packages under the names that he installed them by. */
export class UserProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'spoor-project-'));

  constructor(files: Readonly<Record<string, string>> = {}) {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 }));
    this.link('spoor', ROOT);
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  /** `source` is a folder, or the name of a package of ours. */
  link(name: string, source = join(ROOT, 'node_modules', name)): this {
    mkdirSync(dirname(this.#packagePath(name)), { recursive: true });
    symlinkSync(source, this.#packagePath(name), 'dir');
    return this;
  }

  /** A package of ours, under the name that programs know it by. */
  linkAs(name: string, installedAs: string): this {
    return this.link(name, join(ROOT, 'node_modules', installedAs));
  }

  /** The same, under a name that is not that of its folder. */
  copy(name: string, installedAs: string): this {
    // What runs is a small part of it.
    const source = join(ROOT, 'node_modules', installedAs);
    const filter = (path: string) => !/\.(map|ts|mts|md)$|\/(src|node_modules)(\/|$)/.test(path.slice(source.length));
    cpSync(source, this.#packagePath(name), { recursive: true, filter });
    const { dependencies = {} } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const needed of Object.keys(dependencies)) {
      const own = join(source, 'node_modules', needed);
      this.link(needed, existsSync(own) ? own : undefined);
    }
    return this;
  }

  /** A second copy of our package, under another name, which has an OpenTelemetry API of its own. */
  addCopy(name: string, api = '@opentelemetry/api'): this {
    const folder = this.#packagePath(name);
    for (const part of ['dist', 'package.json']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    const needed = ['p-queue', ...HOOK_PACKAGES];
    this.linkAs('@opentelemetry/api', api);
    for (const dependency of needed) this.link(dependency);
    return this;
  }

  /** All other packages of ours, for a copied one that needs some of them. */
  linkOthers(): this {
    const folder = join(ROOT, 'node_modules');
    for (const name of readdirSync(folder).filter((each) => !each.startsWith('.'))) {
      const names = name.startsWith('@') ? readdirSync(join(folder, name)).map((each) => `${name}/${each}`) : [name];
      for (const each of names) if (!existsSync(this.#packagePath(each))) this.link(each);
    }
    return this;
  }

  write(path: string, text: string): this {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
    return this;
  }

  /** A TypeScript file of these tests, as a module or a CommonJS file of the program. */
  async compile(source: URL, path: string, format: Format): Promise<void> {
    const text = await readFile(fileURLToPath(source), 'utf8');
    const { code } = await transform(text, { loader: 'ts', format, target: 'es2022', platform: 'node' });
    this.write(path, code);
  }

  /** `program` is a Node of another version. */
  run(args: readonly string[], home: string, env: NodeJS.ProcessEnv = {}, program?: string): Promise<Finished> {
    return runNode(args, { home, cwd: this.folder, env: { SPOOR_PROJECT: projectOfTest(), ...env }, program });
  }

  #packagePath(name: string): string {
    return join(this.folder, 'node_modules', name);
  }
}

/** What the service has of a program that has ended, in order of the starts. A slow machine leaves some of it on disk, from where it comes. */
export async function callsOf({ url, apiKey, home }: ServiceProcess): Promise<Call[]> {
  await expect.poll(() => segmentsIn(home)).toEqual([]);
  const calls: Call[] = [];
  for await (const call of createReader({ url, apiKey, project: projectOfTest() }).calls.query({})) calls.push(call);
  return calls;
}
