import { basename } from 'node:path';

/** A program and its arguments. */
export type EditorCommand = readonly [string, ...string[]];

interface PlaceInFile {
  readonly file: string;
  readonly line: number;
}

type ArgumentsOf = (place: PlaceInFile) => readonly string[];

const GOTO: ArgumentsOf = ({ file, line }) => ['--goto', `${file}:${line}`];
const COLON: ArgumentsOf = ({ file, line }) => [`${file}:${line}`];
const LINE: ArgumentsOf = ({ file, line }) => ['--line', String(line), file];
const PLUS: ArgumentsOf = ({ file, line }) => [`+${line}`, file];

/** How editors are told a line, as their pages say of their commands. */
const EDITORS: Readonly<Record<string, ArgumentsOf>> = {
  ...same(['code', 'code-insiders', 'codium', 'cursor', 'windsurf'], GOTO),
  ...same(['zed', 'subl', 'hx', 'fleet'], COLON),
  ...same(['idea', 'webstorm', 'phpstorm', 'pycharm', 'goland', 'rubymine', 'clion', 'rider'], LINE),
  ...same(['emacs', 'emacsclient', 'gvim', 'mvim', 'nvim-qt', 'kate', 'gedit'], PLUS),
};

function same(names: readonly string[], argumentsOf: ArgumentsOf): Record<string, ArgumentsOf> {
  return Object.fromEntries(names.map((name) => [name, argumentsOf]));
}

/**
 * The program that shows a line of a file in the editor of an option, which is words, of which those with blanks stand in quotes.
 * `{file}` and `{line}` in them are replaced; without, an editor that is known is told in its way, any other the file alone.
 * No shell reads any of it.
 */
export function editorCommand(option: string, place: PlaceInFile): EditorCommand | undefined {
  const [program, ...rest] = wordsOf(option);
  if (program === undefined) return undefined;
  if (rest.some((word) => PLACE.test(word))) {
    const values = { file: place.file, line: String(place.line) };
    return [program, ...rest.map((word) => word.replaceAll(PLACES, (_, name: 'file' | 'line') => values[name]))];
  }
  const name = basename(program).replace(/\.(?:exe|cmd|bat)$/i, '');
  const known = EDITORS[name.toLowerCase()];
  return [program, ...rest, ...(known === undefined ? [place.file] : known(place))];
}

const PLACE = /\{(?:file|line)\}/;
const PLACES = /\{(file|line)\}/g;

function wordsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
