import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Folders of compilers in `node_modules`, oldest first. */
export const COMPILERS = ['typescript-5-9', 'typescript-6-0', 'typescript'] as const;

export type Compiler = (typeof COMPILERS)[number];

/** A project that has the package installed from its tarball, below this one, so that it finds the other packages. */
export interface Consumer {
  readonly write: (file: string, text: string) => void;
  /** Complaints of the compiler about the files and about the package, one line each. Those about others are left out. */
  readonly compile: (compiler: Compiler, config: CompilerConfig) => Promise<readonly string[]>;
  /** Makes `typescript` in it this compiler; answers the folder. */
  readonly install: (compiler: Compiler) => string;
  readonly remove: () => void;
}

export interface CompilerConfig {
  readonly files: readonly string[];
  readonly compilerOptions: Readonly<Record<string, unknown>>;
}

/** Names of what can be imported: `spoor`, `spoor/reader`, … */
export function publicNames(): string[] {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: object };
  return Object.keys(exports)
    .filter((name) => !name.endsWith('.json'))
    .map((name) => name.replace(/^\./, 'spoor'));
}

/** `dist` must be built. */
export function createConsumer(): Consumer {
  const folder = mkdtempSync(join(ROOT, 'test', 'types', '.consumer-'));
  unpack(join(folder, 'node_modules', 'spoor'));
  let configs = 0;
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  return {
    write,
    async compile(compiler, config) {
      const name = `tsconfig-${configs++}.json`;
      write(name, JSON.stringify(config));
      const output = await runCompiler(compiler, folder, name);
      return output.split(/\n(?! )/).filter((line) => line !== '' && !isOfOthers(line));
    },
    install(compiler) {
      const link = join(folder, 'node_modules', 'typescript');
      rmSync(link, { force: true });
      symlinkSync(join(ROOT, 'node_modules', compiler), link, 'junction');
      return folder;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** What a user gets: only the files of the tarball are there. */
function unpack(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const flags = ['--pack-destination', folder, '--ignore-scripts', '--loglevel=error'];
  const tarball = execFileSync('npm', ['pack', ...flags], { cwd: ROOT, encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1'], { cwd: folder });
}

function runCompiler(compiler: Compiler, folder: string, config: string): Promise<string> {
  const program = join(ROOT, 'node_modules', compiler, 'bin', 'tsc');
  return new Promise((done, fail) => {
    execFile(process.execPath, [program, '-p', config, '--pretty', 'false'], { cwd: folder }, (error, stdout) =>
      error && typeof error.code !== 'number' ? fail(error) : done(stdout),
    );
  });
}

function isOfOthers(line: string): boolean {
  return line.startsWith('../');
}
