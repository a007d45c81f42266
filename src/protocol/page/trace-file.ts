/** Where in the file of a trace the parts of it stand: ids of `script` elements that hold data, not code. */
export const TRACE_FILE = {
  /** `TraceFileFacts` as JSON. */
  facts: 'trace-facts',
  /** The skeleton of the trace, as base64. */
  skeleton: 'trace-skeleton',
  /** A line for each call: its id and the call as the service sends it, with costs and feedback. */
  calls: 'trace-calls',
  /** A line for each version of an op: its reference and the object. */
  objects: 'trace-objects',
  /** A line for each file that is kept beside a call: its digest, and its bytes as base64. */
  files: 'trace-files',
} as const;

export interface TraceFileFacts {
  readonly project_id: string;
  readonly trace_id: string;
  /** Date and time. */
  readonly exported_at: string;
  /** Stored files that are not in here, because they are large. */
  readonly left_out: number;
}

/** A line of a part: a key and JSON, in which no element can end or begin. */
export function traceFileLine(key: string, json: string): string {
  return `${inElement(JSON.stringify(key))} ${inElement(json)}\n`;
}

/**
 * JSON as it may stand within a `script` element. The sign that begins a tag stands within strings only, where its
 * escape means the same.
 */
export function inElement(json: string): string {
  return json.replaceAll('<', String.raw`\u003c`);
}

const KEY = /^"(?:[^"\\]|\\.)*"/;

/** The lines of a part by their keys, as `traceFileLine` wrote them. */
export function readTraceFileLines(text: string): Map<string, string> {
  const lines = new Map<string, string>();
  for (const line of text.split('\n')) {
    const key = KEY.exec(line)?.[0];
    if (key !== undefined) lines.set(JSON.parse(key) as string, line.slice(key.length + 1));
  }
  return lines;
}
