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

/** How editors with windows of their own are told a line, by the help of their commands. */
const EDITORS = new Map([
  ...same(['code', 'code-insiders', 'codium', 'cursor', 'windsurf'], GOTO),
  ...same(['zed', 'subl'], COLON),
  ...same(['idea', 'webstorm', 'phpstorm', 'pycharm', 'goland', 'rubymine', 'clion', 'rider'], LINE),
  ...same(['emacs', 'emacsclient', 'gvim', 'mvim', 'gedit'], PLUS),
]);

function same(names: readonly string[], argumentsOf: ArgumentsOf): (readonly [string, ArgumentsOf])[] {
  return names.map((name) => [name, argumentsOf]);
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
  const known = EDITORS.get(
    basename(program)
      .toLowerCase()
      .replace(/\.exe$/, ''),
  );
  return [program, ...rest, ...(known === undefined ? [place.file] : known(place))];
}

const PLACE = /\{(?:file|line)\}/;
const PLACES = /\{(file|line)\}/g;

function wordsOf(text: string): string[] {
  return [...text.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([word]) => word.replaceAll('"', ''));
}
