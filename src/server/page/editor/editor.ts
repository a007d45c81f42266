import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { TracingError } from '../../../protocol/error.ts';
import type { ServerOptions } from '../../server-options.ts';
import { type EditorCommand, editorCommand } from './editor-command.ts';
import { findSourceFile } from './source-file.ts';

/** Shows files of the developer's own project in the editor of the machine that the service runs on. */
export interface Editor {
  /** Rejects with `not_found` where no root has the file, and with `unavailable` where the editor does not start. */
  open(file: string, line: number): Promise<void>;
}

/** `undefined`: no editor was named. */
export function openEditor({
  editor,
  sourceRoots = [],
}: Pick<ServerOptions, 'editor' | 'sourceRoots'>): Editor | undefined {
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
  return {
    async open(file, line) {
      const found = await findSourceFile(sourceRoots, file);
      if (found === undefined)
        throw new TracingError('not_found', `No folder of sourceRoots has "${file.slice(0, 200)}"`);
      const command = editorCommand(editor, { file: found, line });
      if (command !== undefined) await start(command);
    },
  };
}

/** It lives on by itself, whatever becomes of the service. */
async function start([program, ...rest]: EditorCommand): Promise<void> {
  const child = spawn(program, rest, { stdio: 'ignore', detached: true, shell: false });
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new TracingError('unavailable', `Cannot start the editor "${program}"`, { cause: error });
  }
  child.unref();
}
