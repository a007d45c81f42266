import { type CompletedCommand, knownChoices, namedCommands } from './completed-command.ts';

/** A script for zsh. Where it knows no words, names of files are completed. */
export function zshScript(program: CompletedCommand): string {
  const cases = namedCommands(program).map(([words, command]) => caseOf(words, command));
  return `#compdef spoor
# zsh completion of spoor: source <(spoor completion zsh)
_spoor() {
  local named="\${words[2]}" previous="\${words[CURRENT-1]}"
  local -a entries choices
  choices=()
  case "$previous" in
${choiceCases(program).join('\n')}
  esac
  if (( \${#choices} )); then
    _describe value choices
    return
  fi
  if (( CURRENT == 2 )); then
    entries=(${entriesOf(program)})
    _describe command entries
    return
  fi
  if (( CURRENT > 3 )) && [[ "\${words[3]}" != -* ]]; then named="$named \${words[3]}"; fi
  case "$named" in
${cases.join('\n')}
    *)
      case "\${named%% *}" in
${cases.join('\n')}
      esac ;;
  esac
  _describe option entries || _files
}
if [[ "\${funcstack[1]}" == _spoor ]]; then _spoor "$@"; else compdef _spoor spoor; fi
`;
}

function caseOf(words: readonly string[], command: CompletedCommand): string {
  return `    ${quote(words.join(' '))}) entries=(${entriesOf(command)}) ;;`;
}

function entriesOf({ commands, options }: CompletedCommand): string {
  const named = commands.map(({ name, description }) => entry(name, description));
  const flags = options.flatMap(({ long, short, description }) => [
    entry(long, description),
    ...(short === undefined ? [] : [entry(`-${short}`, description)]),
  ]);
  return [...named, ...flags].join(' ');
}

/** A colon parts the word from what it is for. */
function entry(word: string, description: string): string {
  return quote(`${word}:${description.replaceAll(':', String.raw`\:`)}`);
}

function choiceCases(program: CompletedCommand): string[] {
  return [...knownChoices(program)].map(
    ([long, choices]) => `    ${long}) choices=(${choices.map(quote).join(' ')}) ;;`,
  );
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
