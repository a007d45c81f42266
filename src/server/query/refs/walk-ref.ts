import { type JsonValue, NumberToken } from '../../../protocol/values/canonical-json.ts';
import { TracingError } from '../../../protocol/error.ts';
import { stringifyJson } from '../../../protocol/values/json.ts';
import { isRef, parseRef, type RefParts, type RefStep } from '../../../protocol/ref.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import type { RefSource, StoredJson } from './ref-source.ts';

/** References inside values that one walk follows; what lies behind more of them is null. */
const MAX_HOPS = 32;

/**
 * The JSON of the value that a reference names. Where a path goes on behind a reference inside a value it is followed
 * there, within the project. What is missing, deleted or no container is null.
 */
export async function walkRef(ref: RefParts, source: RefSource): Promise<JsonText> {
  const projectId = projectOfRef(ref);
  const steps = [...ref.extra];
  let target: RefParts | undefined = ref;
  for (let hops = 0; target && hops <= MAX_HOPS; hops += 1) {
    const json = await enter(target, steps, source);
    if (!json) return 'null';
    if (steps.length === 0) return json.text;
    const reached = descend(json.parsed(), steps);
    if (steps.length === 0) return stringifyJson(reached);
    target = targetInside(reached, projectId);
    if (target) steps.unshift(...target.extra);
  }
  return 'null';
}

/** Does a reference always mean the same value: is its version a digest? */
export function isPinned(ref: RefParts): boolean {
  return (ref.kind !== 'object' && ref.kind !== 'op') || !/^(?:latest|\*|v\d+)$/.test(ref.version);
}

export function projectOfRef({ entity, project }: RefParts): string {
  return `${entity}/${project}`;
}

/** The value that a reference names without its path; of a table that is a row, whose step is taken. */
async function enter(target: RefParts, steps: RefStep[], source: RefSource): Promise<StoredJson | undefined> {
  if (target.kind !== 'table') return await source.whole(target);
  const step = steps.shift();
  if (step?.edge === 'id') return await source.row(projectOfRef(target), target.digest, step.value);
  throw new TracingError('invalid_ref', `Cannot follow "${step?.edge}" into a table: want id and the digest of a row`);
}

/** Takes steps until there are none, or a text is reached, behind which only a reference leads on. */
function descend(value: JsonValue, steps: RefStep[]): JsonValue {
  let reached = value;
  while (typeof reached !== 'string') {
    const step = steps.shift();
    if (!step) break;
    reached = memberOf(reached, step);
  }
  return reached;
}

function memberOf(value: JsonValue, { edge, value: name }: RefStep): JsonValue {
  if (isArray(value)) return edge === 'index' ? (value[Number(name)] ?? null) : null;
  if (typeof value !== 'object' || value === null || value instanceof NumberToken) return null;
  const isMember = (edge === 'attr' || edge === 'key') && Object.hasOwn(value, name);
  return isMember ? (value[name] ?? null) : null;
}

/** The object, op or table of this project that a text refers to. */
function targetInside(value: JsonValue, projectId: string): RefParts | undefined {
  if (typeof value !== 'string' || !isRef(value)) return undefined;
  const ref = parseRef(value);
  return ref.kind !== 'call' && isPinned(ref) && projectOfRef(ref) === projectId ? ref : undefined;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
