import type { Call } from '../../protocol/call.ts';

/** The trees that some calls make up. */
export interface Forest {
  readonly roots: readonly Call[];
  /** In the order given; none for null. */
  readonly childrenOf: (call: Call | null) => readonly Call[];
}

/**
 * The trees of calls, each of which is in one of them, once: a call whose parent is not there is a root, and of calls that
 * are their own ancestors the first one is.
 */
export function forestOf(calls: readonly Call[]): Forest {
  const ids = new Set(calls.map(({ id }) => id));
  const below = new Map<string, Call[]>();
  const roots: Call[] = [];
  for (const call of calls) {
    const parent = call.parent_id;
    if (parent === null || !ids.has(parent)) roots.push(call);
    else if (below.has(parent)) below.get(parent)?.push(call);
    else below.set(parent, [call]);
  }
  const childrenOf = (call: Call | null): readonly Call[] => (call === null ? [] : (below.get(call.id) ?? []));
  const reached = new Set<string>();
  for (const root of roots) reach(root, { reached, childrenOf });
  for (const call of calls) {
    if (reached.has(call.id)) continue;
    const siblings = below.get(call.parent_id ?? '') ?? [];
    siblings.splice(siblings.indexOf(call), 1);
    roots.push(call);
    reach(call, { reached, childrenOf });
  }
  return { roots, childrenOf };
}

interface Reaching {
  readonly reached: Set<string>;
  readonly childrenOf: Forest['childrenOf'];
}

/** Without recursion, since a trace may be very deep. */
function reach(root: Call, { reached, childrenOf }: Reaching): void {
  const open = [root];
  for (let call = open.pop(); call; call = open.pop()) {
    if (reached.has(call.id)) continue;
    reached.add(call.id);
    for (const child of childrenOf(call)) open.push(child);
  }
}
