/** A frame of a stack. */
export interface StackFrame {
  readonly functionName: string;
  /** As the runtime says it. */
  readonly file: string;
  readonly line: number | undefined;
  /** Counted from 1; not every runtime says it. */
  readonly column?: number;
  /** Is it a line of the program, not of a package or of the runtime? */
  readonly isOwn: boolean;
}

/** One error of a chain: what was thrown, and then its causes. */
export interface ShownError {
  /** `TypeError`; `undefined` where the text names none. */
  readonly type: string | undefined;
  readonly message: string;
  readonly frames: readonly StackFrame[];
  readonly isCause: boolean;
}

const CAUSE = /^\[cause\]: ?/;
const HEAD =
  /^(?:Uncaught )?((?:[\p{L}_$][\p{L}\p{N}_$]*\.)*[\p{L}_$][\p{L}\p{N}_$]*(?:Error|Exception|Warning|Interrupt|Abort|Exit))(?: \[[\w]+\])?(?:: ?|$)/u;
const ANY_NAME = /^([A-Z][\p{L}\p{N}_$]*): /u;

/** The text of an exception as the errors that it tells of, outermost first. */
export function readException(text: string): ShownError[] {
  return splitCauses(text.trimEnd()).map((part, index) => readError(part, index > 0));
}

/** Causes begin on a line of their own; Python tells them the other way round. */
function splitCauses(text: string): string[] {
  const parts: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (CAUSE.test(line)) parts.push([line.replace(CAUSE, '')]);
    else parts.at(-1)?.push(line);
  }
  const texts = parts.map((lines) => lines.join('\n'));
  return texts.flatMap((part) => part.split(/\n\n(?:During handling of|The above exception was)[^\n]*\n\n/).reverse());
}

function readError(text: string, isCause: boolean): ShownError {
  if (text.startsWith('Traceback (most recent call last):')) return readTraceback(text, isCause);
  const lines = text.split('\n');
  const frames = lines.map(frameOf);
  const first = frames.findIndex((each) => each !== undefined);
  const isSaid = (line: string, at: number): boolean =>
    first === -1 || at < first || (frames[at] === undefined && line.trim() !== '');
  const { type, message } = readHead(lines.filter(isSaid).join('\n'));
  return { type, message, frames: frames.filter((each) => each !== undefined), isCause };
}

function readHead(head: string): { readonly type: string | undefined; readonly message: string } {
  const match = HEAD.exec(head) ?? ANY_NAME.exec(head);
  return match === null
    ? { type: undefined, message: head.trim() }
    : { type: match[1], message: head.slice(match[0].length).trim() };
}

/** Longer lines are no frames: no runtime writes them, and a page reads a line in no time. */
const MAX_FRAME_CHARACTERS = 1000;

const AT = /^\s*at (?:async )?/;
const LINE_AND_COLUMN = /(?::(\d+))?(?::(\d+))?$/;

/** `at send (tools.ts:94:3)` or `at tools.ts:94:3`. Without a pattern over both: it would try each pair of brackets. */
function frameOf(line: string): StackFrame | undefined {
  const at = line.length > MAX_FRAME_CHARACTERS ? null : AT.exec(line);
  if (at === null) return undefined;
  const rest = line.slice(at[0].length);
  const open = rest.endsWith(')') ? rest.indexOf(' (', 1) : -1;
  const hasName = open !== -1 && open + 3 < rest.length;
  const place = hasName ? rest.slice(open + 2, -1) : rest;
  const row = LINE_AND_COLUMN.exec(place);
  const file = pathOf(place.slice(0, row?.index));
  const read = frame(hasName ? rest.slice(0, open) : '', file, row?.[1]);
  return row?.[2] === undefined ? read : { ...read, column: Number(row[2]) };
}

/** Modules are named by their address, in which blanks and letters beyond ASCII are written as bytes. */
function pathOf(place: string): string {
  if (!place.startsWith('file://')) return place;
  const path = place.slice('file://'.length).replace(/^\/(?=[A-Za-z]:)/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const PYTHON_FRAME = /^\s*File "(.+)", line (\d+)(?:, in (.+))?$/;

/** The innermost frame stands last there, and first here. */
function readTraceback(text: string, isCause: boolean): ShownError {
  const lines = text.split('\n');
  const frames = lines.flatMap((line) => {
    const match = line.length > MAX_FRAME_CHARACTERS ? null : PYTHON_FRAME.exec(line);
    return match === null ? [] : [frame(match[3] ?? '', match[1] ?? '', match[2])];
  });
  const said = lines.slice(lines.findLastIndex((line) => /^\s/.test(line)) + 1).join('\n');
  return { ...readHead(said), frames: frames.reverse(), isCause };
}

const FOREIGN =
  /(?:^|[/\\])(?:node_modules|site-packages|dist-packages)[/\\]|^node:|^native$|<anonymous>|[/\\]lib[/\\]python\d/;

function frame(functionName: string, file: string, line: string | undefined): StackFrame {
  const isOwn = file !== '' && !FOREIGN.test(file);
  return { functionName, file, line: line === undefined ? undefined : Number(line), isOwn };
}

/** The end of a path, which tells people the file: its whole way stands in the tooltip. */
export function shortPath(file: string): string {
  return file.split(/[/\\]/).slice(-2).join('/');
}
