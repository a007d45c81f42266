import type { Command } from 'commander';

/** The parts of a command that a shell may complete. */
export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly commands: readonly CompletedCommand[];
}

export interface CompletedOption {
  readonly long: string;
  /** One letter, without its dash. */
  readonly short: string | undefined;
  readonly description: string;
  /** Values that there are; empty for a switch, and where any text will do. */
  readonly choices: readonly string[];
  readonly takesValue: boolean;
}

export function completedCommand(command: Command): CompletedCommand {
  return {
    name: command.name(),
    description: command.description(),
    options: command.options.flatMap(({ long, short, description, argChoices, required, optional }) =>
      long
        ? [{ long, short: short?.slice(1), description, choices: argChoices ?? [], takesValue: required || optional }]
        : [],
    ),
    commands: command.commands.map(completedCommand),
  };
}

/** Every command with the words that name it, those of groups too. */
export function namedCommands(program: CompletedCommand): (readonly [readonly string[], CompletedCommand])[] {
  return program.commands.flatMap((command) => [
    [[command.name], command] as const,
    ...command.commands.map((below) => [[command.name, below.name], below] as const),
  ]);
}

/** The words that may follow those of a command: what is below it, and its options. */
export function wordsOf({ commands, options }: CompletedCommand): string[] {
  return [
    ...commands.map(({ name }) => name),
    ...options.flatMap(({ long, short }) => [long, ...(short ? [`-${short}`] : [])]),
  ];
}

/** Values of the options that have known ones; an option has the same ones in every command. */
export function knownChoices(program: CompletedCommand): ReadonlyMap<string, readonly string[]> {
  const options = namedCommands(program).flatMap(([, command]) => command.options);
  return new Map(options.filter(({ choices }) => choices.length > 0).map(({ long, choices }) => [long, choices]));
}
