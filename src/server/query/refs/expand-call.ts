import { type JsonValue } from '../../../protocol/values/canonical-json.ts';
import { shownAttributes } from '../../../protocol/call-attributes.ts';
import { parseJson, stringifyJson } from '../../../protocol/values/json.ts';
import { valueAtPath } from '../../../storage/values/json-path.ts';
import type { JsonColumn } from '../../../storage/contract/plan.ts';
import type { StoredCall } from '../../../storage/contract/calls.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import { isContainer } from '../../../storage/values/value.ts';
import type { ExpandedPath, ExpandedField } from '../plan/plan-expansion.ts';
import { tooLarge } from './read-refs.ts';
import type { RefExpander } from './ref-expander.ts';

/** The call with values in place of the references at these paths, which are in order, shallowest first. */
export async function expandCall(
  call: StoredCall,
  paths: readonly ExpandedPath[],
  expander: RefExpander,
  maxBytes: number,
): Promise<StoredCall> {
  const bodies: { [column in JsonColumn]?: JsonText } = {};
  const bounded = withinBytes(expander, maxBytes);
  for (const [column, group] of byColumn(paths)) {
    const text = shownBody(call, column);
    // A reference is a text that begins with its scheme.
    if (text?.includes('svc:') !== true) continue;
    let body = parseJson(text);
    for (const { path } of group) body = await expandAt(body, path, 0, bounded);
    bodies[column] = stringifyJson(body);
  }
  return { ...call, ...bodies, ...(bodies.attributes === undefined ? {} : { otel_dump: null }) };
}

/** The value of a field behind references. */
export async function expandedValue(
  body: JsonValue,
  { path, stops }: ExpandedField,
  expander: RefExpander,
): Promise<JsonValue> {
  let reached = body;
  let taken = 0;
  for (const stop of stops) {
    reached = valueAtPath(reached, path.slice(taken, stop));
    if (typeof reached === 'string') reached = (await expander(reached))?.value ?? reached;
    taken = stop;
  }
  return valueAtPath(reached, path.slice(taken));
}

/** A body as it is shown; null while there is none. */
export function shownBody(call: StoredCall, column: JsonColumn): JsonText | null {
  const { attributes, otel_dump: dump } = call;
  return column === 'attributes' && attributes !== null ? shownAttributes(attributes, dump) : call[column];
}

function byColumn(paths: readonly ExpandedPath[]): Map<JsonColumn, ExpandedPath[]> {
  const groups = new Map<JsonColumn, ExpandedPath[]>();
  for (const path of paths) groups.set(path.column, [...(groups.get(path.column) ?? []), path]);
  return groups;
}

async function expandAt(
  value: JsonValue,
  path: readonly string[],
  depth: number,
  expander: RefExpander,
): Promise<JsonValue> {
  const part = path[depth];
  if (part === undefined) return typeof value === 'string' ? ((await expander(value))?.value ?? value) : value;
  const member = valueAtPath(value, [part]);
  if (member === null || !isContainer(value)) return value;
  const expanded = await expandAt(member, path, depth + 1, expander);
  if (expanded === member) return value;
  return Array.isArray(value) ? value.with(Number(part), expanded) : { ...value, [part]: expanded };
}

/** A call is one line, so together its values may only be so large. */
function withinBytes(expander: RefExpander, maxBytes: number): RefExpander {
  let bytes = 0;
  return async (text) => {
    const expansion = await expander(text);
    bytes += expansion?.size ?? 0;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    return expansion;
  };
}
