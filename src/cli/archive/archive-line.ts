/**
 * The kinds of archive lines, in this order for each project: calls, what feedback says on them, objects, rows of
 * tables, files. An archive begins with `header` and ends with `end`.
 */
export type ArchiveKind = 'header' | 'call' | 'feedback' | 'object' | 'rows' | 'file' | 'end';

/** One line of an archive. */
export interface ArchiveLine {
  readonly kind: ArchiveKind;
  readonly project: string;
  /** Says which of its kind in its project it is; no two lines have the same. */
  readonly key: string;
  /** JSON text. */
  readonly value: string;
}

export function formatLine({ kind, project, key, value }: ArchiveLine): string {
  return `{"kind":"${kind}","project":${JSON.stringify(project)},"key":${JSON.stringify(key)},"value":${value}}\n`;
}

const HEAD = /^\{"kind":"(\w+)","project":("(?:[^"\\]|\\.)*"),"key":("(?:[^"\\]|\\.)*"),"value":/;

/** Reads a line as `formatLine` writes it, without its end; `undefined` for any other text. */
export function parseLine(text: string): ArchiveLine | undefined {
  const [head, kind, project, key] = HEAD.exec(text) ?? [];
  if (head === undefined || project === undefined || key === undefined || !text.endsWith('}')) return undefined;
  return {
    // Lines of kinds that are not known are left out by who reads them.
    kind: kind as ArchiveKind,
    project: JSON.parse(project) as string,
    key: JSON.parse(key) as string,
    value: text.slice(head.length, -1),
  };
}

/** Where a walk over calls goes on: after the call that began then and has this id. */
export interface CallPosition {
  readonly started_at: string;
  readonly id: string;
}

export function callKey({ started_at: time, id }: CallPosition): string {
  return `${time} ${id}`;
}

export function parseCallKey(key: string): CallPosition {
  const [started_at = '', id = ''] = key.split(' ');
  return { started_at, id };
}
