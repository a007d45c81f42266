// docs/decisions/0025-own-modules-are-edited-as-they-load.md says why.
import { type DirectExport, parse } from 'es-module-lexer';
import { tokensFrom } from '../tracing/instrument.ts';

/** Under this name the modules of the program find what wraps their exports. The number changes with `ProgramExport`. */
export const PROGRAM_CODE_KEY = 'spoor.program-code.1';

/** An export as its module hands it over: place of its name, what is there, and how to put something in its place. */
export type ProgramExport = readonly [
  name: string,
  place: {
    readonly line: number;
    readonly column: number;
    readonly isOriginal: boolean;
    /** Is the function or class written in this module? */
    readonly isDeclared: boolean;
  },
  get: () => unknown,
  set?: (value: unknown) => void,
];

/** The binding of a default export that has no name, as long as `export default`, so that no column moves. */
const DEFAULT_BINDING = '__spoor_';

interface Edit {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

interface Binding {
  readonly name: string;
  /** `undefined`: it has none, and is read by an import of the module by itself. */
  readonly local: string | undefined;
  readonly position: number;
  /** Hoisted, and so there before the first line of the module runs. */
  readonly isFunction: boolean;
  /** Keeps its identity: its methods are wrapped. */
  readonly isClass: boolean;
  /** Is the function or class that it holds written here, as far as one can see? */
  readonly isDeclared: boolean;
}

/** Blanks and comments. */
const GAP = String.raw`(?:\s|/\*[\s\S]*?\*/|//[^\n]*\n)`;
const CLASS = new RegExp(`^${GAP}*(?:abstract\\s+)?class\\b|^${GAP}*@`);
const FUNCTION = new RegExp(`^${GAP}*(?:async${GAP}+)?function\\b${GAP}*\\*?`);
const IDENTIFIER = new RegExp(`^${GAP}*([\\w$]+)[^\\S\\n]*(?:;|\\n|$|/\\*|//|as\\b|satisfies\\b)`);

/**
 * The source of an ES module, JavaScript or TypeScript, that hands its exports over to be wrapped: functions before its
 * first line runs, all others after the last. The bindings stay those of the module, so that they are live, and calls
 * within the module are seen, too. For that `const` becomes `let`. Positions stay, but for columns of the first line.
 *
 * Answers `undefined` where there is nothing to hand over. Throws where the source cannot be understood.
 */
export function handOverExports(source: string, url: string): string | undefined {
  if (hasWord(source, DEFAULT_BINDING)) throw new Error(`it has a "${DEFAULT_BINDING}" of its own`);
  const [imports, exports] = parse(source);
  const declared = declaredIn(source);
  const imported = imports.map(({ importStart, importEnd }) => source.slice(importStart, importEnd)).join('\n');
  const edits: Edit[] = [];
  const bindings: Binding[] = [];
  for (const each of exports) {
    if (each.type !== 'direct' || each.typeOnly) continue;
    const binding =
      each.localName === undefined
        ? defaultBinding(source, each, { imported, declared, edits })
        : named(source, each, declared);
    if (binding === undefined || bindings.some(({ local }) => local !== undefined && local === binding.local)) continue;
    bindings.push(binding);
    if (!binding.isFunction && !binding.isClass) makeAssignable(source, each, binding, edits);
  }
  if (bindings.length === 0) return undefined;
  const edited = applied(source, edits, bindings, url);
  checkSame(source, edited);
  return edited;
}

function named(
  source: string,
  { name, localName, exportStart, start }: DirectExport,
  declaredNames: ReadonlySet<string>,
): Binding | undefined {
  const head = withoutComments(source.slice(exportStart, exportStart + LONGEST_HEAD));
  const declared = /^export\s+(?:default\s+)?((?:[a-z]+\s+)*)/.exec(head)?.[1] ?? '';
  // What TypeScript makes of these is nobody's function.
  if (/\b(?:enum|namespace|module)\s/.test(declared)) return undefined;
  const isFunction =
    /(?:^|\s)function\s/.test(declared) || /^export\s+(?:default\s+)?(?:async\s+)?function\b/.test(head);
  const isClass = /(?:^|\s)class\s/.test(declared);
  const isDeclared = declaredNames.has(localName ?? '');
  return { name: unquoted(name), local: localName, position: start, isFunction, isClass, isDeclared };
}

/** Of what stands before the name of an export. */
const LONGEST_HEAD = 1000;

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ');
}

/** A default export without a name gets one, as only a binding can be written to. */
function defaultBinding(
  source: string,
  { exportStart, end }: DirectExport,
  { imported, declared, edits }: { imported: string; declared: ReadonlySet<string>; edits: Edit[] },
): Binding | undefined {
  const rest = source.slice(end);
  const found = { name: 'default', local: DEFAULT_BINDING, position: exportStart, isFunction: false, isClass: false };
  const binding = { ...found, isDeclared: true };
  if (CLASS.test(rest)) return { ...binding, local: undefined, isClass: true };
  const declaration = FUNCTION.exec(rest)?.[0];
  if (declaration !== undefined) {
    const at = end + declaration.length;
    edits.push({ at, end: at, text: ` ${DEFAULT_BINDING}` });
    return { ...binding, isFunction: true };
  }
  const identifier = IDENTIFIER.exec(rest)?.[1];
  // It belongs to the module that it comes from.
  if (identifier !== undefined && hasWord(imported, identifier)) return undefined;
  const text = `let ${DEFAULT_BINDING} =`;
  edits.push({ at: exportStart, end, text: text.padEnd(end - exportStart) });
  return { ...binding, isDeclared: identifier !== undefined && declared.has(identifier) };
}

/** Names of the functions and classes that are written at the top level of a module. */
function declaredIn(source: string): ReadonlySet<string> {
  const names = new Set<string>();
  let [before, last] = ['', ''];
  for (const { kind, start, end } of tokensFrom(source, source.startsWith('#!') ? source.indexOf('\n') : 0)) {
    const text = kind === 'word' || kind === 'mark' ? source.slice(start, end) : '';
    const isNamed = last === 'class' || last === 'function' || (last === '*' && before === 'function');
    if (isNamed && kind === 'word') names.add(text);
    if (last === '=' && ['class', 'function', 'async'].includes(text)) names.add(before);
    [before, last] = [last, text];
  }
  return names;
}

function hasWord(text: string, word: string): boolean {
  return text.split(/[^\w$]+/).includes(word);
}

/** Turns the `const` of a binding into a `let`, wherever it stands. */
function makeAssignable(source: string, { exportStart }: DirectExport, { local }: Binding, edits: Edit[]): void {
  const inline = /^export\s+(?=const\b)/.exec(source.slice(exportStart))?.[0];
  const at = inline === undefined ? constOf(source, local) : exportStart + inline.length;
  if (at === undefined || edits.some((edit) => edit.at === at)) return;
  edits.push({ at, end: at + 'const'.length, text: 'let  ' });
}

/** Where the `const` of the module stands that begins with this name. */
function constOf(source: string, local: string | undefined): number | undefined {
  let last: number | undefined;
  for (const { kind, start, end } of tokensFrom(source, source.startsWith('#!') ? source.indexOf('\n') : 0)) {
    const word = kind === 'word' ? source.slice(start, end) : '';
    if (last !== undefined && word === local) return last;
    last = word === 'const' ? start : undefined;
  }
  return undefined;
}

function applied(source: string, edits: readonly Edit[], bindings: readonly Binding[], url: string): string {
  let text = source;
  for (const { at, end, text: inserted } of [...edits].sort((one, other) => other.at - one.at)) {
    text = text.slice(0, at) + inserted + text.slice(end);
  }
  const first = bindings.filter(({ isFunction }) => isFunction);
  const last = bindings.filter(({ isFunction }) => !isFunction);
  // A line that only the system reads has to stay the first.
  const begin = text.startsWith('#!') ? text.indexOf('\n') + 1 : 0;
  const before = first.length === 0 ? '' : handOver(source, first, false);
  const isDefaultMade = edits.some((edit) => edit.text.startsWith(`let ${DEFAULT_BINDING}`));
  const after = [
    isDefaultMade ? `export{${DEFAULT_BINDING} as default};` : '',
    last.some(({ local }) => local === undefined)
      ? `import{default as ${DEFAULT_BINDING}}from${JSON.stringify(url)};`
      : '',
    handOver(source, last, true),
  ];
  return `${text.slice(0, begin)}${before}${text.slice(begin)}\n;${after.join('')}`;
}

function handOver(source: string, bindings: readonly Binding[], isLast: boolean): string {
  // Loaders that compile hand on the text of the file when they ask us, and one with a map when we ask them.
  const isOriginal = !source.includes('sourceMappingURL=');
  const entries = bindings.map(({ name, local = DEFAULT_BINDING, position, isClass, isDeclared }) => {
    const place = { ...placeIn(source, position), isOriginal, isDeclared };
    const set = isClass ? '' : `,(value)=>{${local}=value}`;
    return `[${JSON.stringify(name)},${JSON.stringify(place)},()=>${local}${set}]`;
  });
  return `globalThis[Symbol.for("${PROGRAM_CODE_KEY}")]?.(import.meta.url,[${entries.join(',')}],${isLast});`;
}

function placeIn(source: string, position: number): { readonly line: number; readonly column: number } {
  const lines = source.slice(0, position).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** `export { f as "a name" }` */
function unquoted(name: string): string {
  return name.replace(/^(["'])(.*)\1$/s, '$2');
}

/** A module that exports something else than before is not to be run. */
function checkSame(before: string, after: string): void {
  const namesOf = (source: string) =>
    parse(source)[1]
      .map((each) => ('name' in each ? each.name : each.from))
      .sort()
      .join();
  if (namesOf(before) !== namesOf(after)) throw new Error('its exports could not be told');
}
