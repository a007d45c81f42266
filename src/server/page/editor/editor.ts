import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { TracingError } from '../../../protocol/error.ts';
import type { ServerOptions } from '../../server-options.ts';
import { type EditorCommand, editorCommand } from './editor-command.ts';
import { findSourceFiles } from './source-file.ts';

/** Shows files of the developer's own project in the editor of the machine that the service runs on. */
export interface Editor {
  /**
   * Resolves with the whole path. Rejects with `not_found` where no root has the file, with `invalid_request` where several have,
   * with `rate_limited`, and with `unavailable` where the editor does not start.
   */
  open(file: string, line: number): Promise<string>;
}

/** More than a person who presses a key opens. */
export const MAX_STARTS_PER_MINUTE = 30;
const MINUTE_MS = 60_000;

/** One that fails says so at once; one that opens a window goes on, or hands over to the one that has it. */
const FAILURE_MS = 400;

interface EditorOptions extends Pick<ServerOptions, 'editor' | 'sourceRoots'> {
  /** Milliseconds in which an editor that fails has said so. @default 400 */
  readonly failureMs?: number;
}

/** `undefined`: no editor was named. */
export function openEditor(options: EditorOptions): Editor | undefined {
  const { editor, sourceRoots = [], failureMs = FAILURE_MS } = options;
  if (editor === undefined && sourceRoots.length === 0) return undefined;
  if (editor === undefined || editorCommand(editor, { file: '', line: 1 }) === undefined) {
    throw new TracingError(
      'invalid_configuration',
      'Cannot open files of sourceRoots: no editor is named, set editor too',
    );
  }
  if (sourceRoots.length === 0) {
    throw new TracingError('invalid_configuration', 'Cannot use the editor: no folder is named, set sourceRoots too');
  }
  let started: readonly number[] = [];
  return {
    async open(file, line) {
      const found = await theOnlyFile(sourceRoots, file);
      started = started.filter((at) => at > performance.now() - MINUTE_MS);
      if (started.length >= MAX_STARTS_PER_MINUTE) {
        throw new TracingError('rate_limited', `The editor was started ${MAX_STARTS_PER_MINUTE} times within a minute`);
      }
      started = [...started, performance.now()];
      const command = editorCommand(editor, { file: found, line });
      if (command !== undefined) await start(command, failureMs);
      return found;
    },
  };
}

async function theOnlyFile(roots: readonly string[], file: string): Promise<string> {
  const [found, other] = await findSourceFiles(roots, file);
  if (found === undefined) throw new TracingError('not_found', `No folder of sourceRoots has "${file.slice(0, 200)}"`);
  if (other === undefined) return found;
  throw new TracingError('invalid_request', `Two folders of sourceRoots have "${file}": "${found}" and "${other}"`);
}

/** It lives on by itself, whatever becomes of the service. */
async function start([program, ...rest]: EditorCommand, failureMs: number): Promise<void> {
  let code: number | null;
  try {
    const child = spawn(program, rest, {
      stdio: 'ignore',
      detached: true,
      windowsHide: true,
      shell: false,
      env: environmentOf(process.env),
    });
    await once(child, 'spawn');
    child.unref();
    code = await exitOf(child, failureMs);
  } catch (error) {
    throw new TracingError('unavailable', `Cannot start the editor "${program}"`, { cause: error });
  }
  if (code !== null && code !== 0) {
    throw new TracingError('unavailable', `The editor "${program}" failed with code ${code}`);
  }
}

/** `null`: it goes on, or a signal ended it. */
async function exitOf(child: NodeJS.EventEmitter, failureMs: number): Promise<number | null> {
  try {
    const [code] = (await once(child, 'exit', { signal: AbortSignal.timeout(failureMs) })) as [number | null];
    return code;
  } catch {
    return null;
  }
}

/** Keys and the address of the database are nothing for an editor, its extensions and its terminals. */
function environmentOf(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(own).filter(([name]) => !name.startsWith('SPOOR_')));
}
