import { Argument, type Command } from 'commander';
import type { Shell } from '../commands/completion.ts';
import { addExamples } from './options.ts';

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

export function addCompletion(program: Command): void {
  const completion = program
    .command('completion')
    .description('print what a shell has to read to complete commands and options')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action(async (shell: Shell) => (await import('../commands/completion.ts')).printCompletion(shell, program));
  addExamples(completion, {
    'spoor completion bash >> ~/.bashrc': 'for bash',
    'spoor completion zsh >> ~/.zshrc': 'for zsh, after compinit',
    'spoor completion fish > ~/.config/fish/completions/spoor.fish': 'for fish',
  });
}
