import { type CompletedCommand, type CompletedOption, namedCommands } from './completed-command.ts';

/** A script for fish. */
export function fishScript(program: CompletedCommand): string {
  const lines = [
    '# fish completion of spoor: spoor completion fish | source',
    ...program.commands.map(
      ({ name, description }) =>
        `complete -c spoor -n __fish_use_subcommand -f -a ${quote(name)} -d ${quote(description)}`,
    ),
    ...program.options.map((option) => `complete -c spoor -n __fish_use_subcommand ${optionText(option)}`),
    ...namedCommands(program).flatMap(([words, command]) => commandLines(words, command)),
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines(words: readonly string[], { commands, options }: CompletedCommand): string[] {
  const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
  const names = commands.map(({ name }) => name).join(' ');
  const below = names === '' ? seen : `${seen}; and not __fish_seen_subcommand_from ${names}`;
  return [
    ...commands.map(
      ({ name, description }) => `complete -c spoor -n ${quote(below)} -f -a ${quote(name)} -d ${quote(description)}`,
    ),
    ...options.map((option) => `complete -c spoor -n ${quote(seen)} ${optionText(option)}`),
  ];
}

function optionText({ long, short, description, choices, takesValue }: CompletedOption): string {
  const parts = [
    `-l ${long.slice(2)}`,
    ...(short === undefined ? [] : [`-s ${short}`]),
    ...(takesValue ? ['-r'] : []),
    ...(choices.length === 0 ? [] : [`-f -a ${quote(choices.join(' '))}`]),
  ];
  return `${parts.join(' ')} -d ${quote(description)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
