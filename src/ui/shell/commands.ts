/**
 * All commands that have a key, by the part of the page that they are of: the key as it is by itself, and the name. Parts are
 * shown one at a time, but keys are changed for all of them: whoever gives one away is told what it means elsewhere. Keys of
 * one part with the same name do the same.
 */
const COMMANDS = {
  Everywhere: [
    ['Mod+k', 'Jump to…'],
    ['?', 'Keys'],
    ['t', 'Switch theme'],
    ['g c', 'Go to Calls'],
    ['g t', 'Go to Threads'],
    ['g r', 'Go to Runs'],
  ],
  List: [
    ['/', 'Filter'],
    ['j', 'Next'],
    ['k', 'Previous'],
    ['ArrowDown', 'Next'],
    ['ArrowUp', 'Previous'],
    ['PageDown', 'Page down'],
    ['PageUp', 'Page up'],
    ['Home', 'First'],
    ['End', 'Last loaded'],
    ['Enter', 'Peek at the call'],
    ['Mod+Enter', 'Open its trace'],
    ['d', 'Compare the two selected'],
    ['w', 'What is different?'],
    ['x', 'Select'],
    ['X', 'Select up to here'],
    ['e', 'Export'],
    ['y', 'Copy link'],
    ['Y', 'Copy as…'],
    ['+', 'Good'],
    ['-', 'Bad'],
    ['c', 'Feedback'],
    ['#', 'Delete'],
    ['Mod+.', 'Pause or go on'],
    ['Escape', 'Close, or clear the selection'],
  ],
  Trace: [
    ['j', 'Next line'],
    ['k', 'Previous line'],
    ['h', 'Fold'],
    ['l', 'Unfold'],
    ['H', 'Fold all below'],
    ['L', 'Unfold all below'],
    ['n', 'Next error'],
    ['N', 'Previous error'],
    ['p', 'Next call of the same op'],
    ['P', 'Previous call of the same op'],
    [']', 'Next sibling'],
    ['[', 'Previous sibling'],
    ['.', 'Next call to start'],
    [',', 'Previous call to start'],
    ['u', 'Parent'],
    ['1', 'Tree'],
    ['2', 'Flame'],
    ['3', 'Heavy'],
    ['z', 'Zoom in'],
    ['Z', 'Zoom out'],
    ['Shift+ArrowLeft', 'Pan to earlier'],
    ['Shift+ArrowRight', 'Pan to later'],
    ['0', 'Fit'],
    ['f', 'Zoom to the call'],
    ['d', 'Compare with the run before'],
    ['/', 'Find in trace'],
    ['Mod+.', 'Pause or go on'],
    ['Escape', 'Back to Calls'],
  ],
  Compare: [
    ['j', 'Next line'],
    ['k', 'Previous line'],
    ['n', 'Next difference'],
    ['N', 'Previous difference'],
    ['h', 'Fold'],
    ['l', 'Unfold'],
    ['H', 'Fold all below'],
    ['L', 'Unfold all below'],
    ['u', 'Parent'],
    ['1', 'Tree'],
    ['2', 'Inputs and outputs'],
    ['3', 'Code'],
    ['4', 'Numbers'],
    ['o', 'Only changes'],
    ['x', 'Swap A and B'],
    ['/', 'Find'],
    ['Escape', 'Back to Calls'],
  ],
  Call: [['o', 'Open in editor']],
  Feedback: [
    ['+', 'Good'],
    ['-', 'Bad'],
    ['c', 'Write a note'],
  ],
  Threads: [
    ['j', 'Next thread'],
    ['k', 'Previous thread'],
    ['ArrowDown', 'Next thread'],
    ['ArrowUp', 'Previous thread'],
    ['Home', 'First'],
    ['End', 'Last'],
    ['y', 'Copy link'],
    ['/', 'Find'],
    ['Mod+.', 'Pause or go on'],
  ],
  Runs: [
    ['j', 'Next run'],
    ['k', 'Previous run'],
    ['ArrowDown', 'Run below'],
    ['ArrowUp', 'Run above'],
    ['Home', 'First'],
    ['End', 'Last'],
    ['y', 'Copy link'],
    ['/', 'Find'],
    ['Mod+.', 'Pause or go on'],
  ],
  Thread: [
    ['j', 'Next turn'],
    ['k', 'Previous turn'],
    ['ArrowDown', 'Next turn'],
    ['ArrowUp', 'Previous turn'],
    ['n', 'Next error'],
    ['/', 'Find in turns'],
    ['Mod+.', 'Pause or go on'],
    ['Escape', 'Back to Threads'],
  ],
} as const;

type Part = keyof typeof COMMANDS;

/** A command as it is by itself. */
export interface Command {
  readonly keys: readonly string[];
  readonly label: string;
}

/** All commands of a part of the page, by the name of the part. */
export interface CommandsOfPart {
  readonly name: string;
  readonly commands: readonly Command[];
}

/** The command of a part that has a key by itself. */
export function command<Name extends Part>(part: Name, keys: (typeof COMMANDS)[Name][number][0]): Command {
  const entry = entriesOf(part).find(([each]) => each === keys);
  if (entry === undefined) throw new Error(`${part} has no command with the key ${keys}`);
  return { keys: [keys], label: entry[1] };
}

/** All of them, by part. */
export function allCommands(): readonly CommandsOfPart[] {
  return (Object.keys(COMMANDS) as Part[]).map((name) => ({
    name,
    commands: entriesOf(name).map(([keys, label]) => ({ keys: [keys], label })),
  }));
}

/** The same commands, each once with all of its keys. */
export function mergedCommands(commands: readonly Command[]): readonly Command[] {
  const keys = new Map<string, readonly string[]>();
  for (const each of commands) keys.set(each.label, [...(keys.get(each.label) ?? []), ...each.keys]);
  return [...keys].map(([label, all]) => ({ keys: all, label }));
}

function entriesOf(part: Part): readonly (readonly [keys: string, label: string])[] {
  return COMMANDS[part];
}

/** Keys of a list while it has the focus, and Escape, are what everybody expects of lists and of Escape. */
export function isFixed(keys: string): boolean {
  return /^(?:Arrow\w+|Page\w+|Home|End|Enter|Escape)$/.test(keys);
}
