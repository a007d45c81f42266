import { refuseOldNode } from './node-version.ts';
import { printVersionAskedFor } from './version.ts';

// The start of `npx spoor`, as CommonJS: Node loads modules by a loader that takes 10 ms to start. Commands that only read
// are one file beside this one; all others are modules.

/** Names of the commands that are in that file, and a digest of it. The bundle puts them here. */
declare const READING_COMMANDS: readonly string[];
declare const READING_DIGEST: string;

async function main(): Promise<void> {
  if (printVersionAskedFor()) return;
  // Behind any other option stands what is no command: the value of one of `serve`.
  const command = process.argv.slice(2).find((arg) => arg !== '--verbose') ?? '';
  if (!READING_COMMANDS.includes(command)) return void (await import('./modules.ts'));
  const { runScript } = await import('./run-script.ts');
  runScript({ path: `${import.meta.dirname}/reading.cjs`, digest: READING_DIGEST, command });
}

function fail(error: unknown): void {
  process.stderr.write(`spoor: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
// Such a Node may not even be able to read the rest.
if (!refuseOldNode()) main().catch(fail);
