import type { Command } from 'commander';
import { bashScript } from '../completion/bash.ts';
import { completedCommand } from '../completion/completed-command.ts';
import { fishScript } from '../completion/fish.ts';
import { zshScript } from '../completion/zsh.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };
export type Shell = keyof typeof SCRIPTS;

/** Prints what a shell has to read to complete the commands and options of a program. */
export function printCompletion(shell: Shell, program: Command): void {
  process.stdout.write(SCRIPTS[shell](completedCommand(program)));
}
