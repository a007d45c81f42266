import { type CompletedCommand, knownChoices, namedCommands, wordsOf } from './completed-command.ts';

/** A script for bash. Where it knows no words, bash completes names of files. */
export function bashScript(program: CompletedCommand): string {
  const cases = namedCommands(program).map(
    ([words, command]) => `    '${words.join(' ')}') words='${wordsOf(command).join(' ')}' ;;`,
  );
  return `# bash completion of spoor: eval "$(spoor completion bash)"
_spoor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" named='' words='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${COMP_WORDS[index]}" in
      --) return ;;
      -*) break ;;
    esac
    [[ $index -gt 2 ]] && break
    named="\${named:+$named }\${COMP_WORDS[index]}"
  done
  case "$previous" in
${choiceCases(program).join('\n')}
  esac
  [[ -z "$named" ]] && words='${wordsOf(program).join(' ')}'
  case "$named" in
${cases.join('\n')}
  esac
  if [[ -z "$words" && "$named" == *' '* ]]; then
    case "\${named%% *}" in
${cases.map((line) => line.replace(/^/gm, '  ')).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _spoor spoor
`;
}

function choiceCases(program: CompletedCommand): string[] {
  return [...knownChoices(program)].map(
    ([long, choices]) => `    ${long}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current")); return ;;`,
  );
}
