import { opNameOf } from '../../protocol/ref.ts';
import { decodeString, type JsonNode, memberOf, rootOf } from '../json/json-node.ts';

/** A call as the service sent it: the small members as values, the large ones as ranges of the text. */
export interface CallRecord {
  /** The whole text, in which the ranges lie. */
  readonly text: string;
  readonly node: JsonNode;
  readonly id: string;
  readonly projectId: string;
  readonly opName: string;
  readonly displayName: string | undefined;
  readonly traceId: string;
  readonly parentId: string | undefined;
  readonly threadId: string | undefined;
  /** Microseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly exception: string | undefined;
  readonly runId: string | undefined;
  readonly userId: string | undefined;
  readonly summary: Readonly<Record<string, unknown>>;
  readonly attributes: Part;
  readonly inputs: Part;
  readonly output: Part;
}

/** A member that may be of any size. */
export interface Part {
  readonly node: JsonNode;
  /** The value, unless it is too large to be made of it. */
  readonly value: unknown;
  readonly isTooLarge: boolean;
}

/** Characters up to which a member is turned into a value: above, only what is opened is looked at. */
export const MAX_PARSED = 4_000_000;

/** Reads the answer of `/call/read`; `undefined` where the service knows no such call. Throws `BrokenJson`. */
export function readCallAnswer(text: string): CallRecord | undefined {
  const root = rootOf(text);
  const node = memberOf(text, root, 'call') ?? root;
  return node.kind === 'object' ? recordOf(text, node) : undefined;
}

function recordOf(text: string, node: JsonNode): CallRecord {
  const member = (name: string): JsonNode => memberOf(text, node, name) ?? NULL;
  const word = (name: string): string | undefined => {
    const { kind, start, end } = member(name);
    return kind === 'string' ? decodeString(text, start, end).text : undefined;
  };
  const ended = word('ended_at');
  const summary = partOf(text, member('summary')).value;
  return {
    text,
    node,
    id: word('id') ?? '',
    projectId: word('project_id') ?? '',
    opName: word('op_name') ?? '',
    displayName: word('display_name'),
    traceId: word('trace_id') ?? '',
    parentId: word('parent_id'),
    threadId: word('thread_id'),
    startedAt: microseconds(word('started_at') ?? ''),
    endedAt: ended === undefined ? undefined : microseconds(ended),
    exception: word('exception'),
    runId: word('svc_run_id'),
    userId: word('svc_user_id'),
    summary: typeof summary === 'object' && summary !== null ? (summary as Record<string, unknown>) : {},
    attributes: partOf(text, member('attributes')),
    inputs: partOf(text, member('inputs')),
    output: partOf(text, member('output')),
  };
}

/** Stands for a member that is not there. */
const NULL: JsonNode = { kind: 'word', start: 0, end: 0 };

function partOf(text: string, node: JsonNode): Part {
  const isTooLarge = node.end - node.start > MAX_PARSED;
  if (isTooLarge || node.end === 0) return { node, value: undefined, isTooLarge };
  return { node, value: JSON.parse(text.slice(node.start, node.end)) as unknown, isTooLarge };
}

/** `Date` knows milliseconds, and calls are often shorter. */
export function microseconds(time: string): number {
  const fraction = /\.(\d+)/.exec(time)?.[1] ?? '';
  const whole = Date.parse(time.replace(/\.\d+/, ''));
  return whole * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}

/** The name under which a call is shown. */
export function shownName({ displayName, opName }: Pick<CallRecord, 'displayName' | 'opName'>): string {
  return displayName ?? opNameOf(opName);
}
