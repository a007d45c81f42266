/** The members of a call that tell whose usage counts. */
export interface UsageHolder {
  readonly id: string;
  readonly parent_id: string | null;
}

/**
 * The calls of a trace whose usage may be added up. Clients of ours add the usage of a call to its parents, up to the
 * root; those of others do so for some calls or for none. So a call counts when nothing above it has usage.
 */
export function usageRoots<Call extends UsageHolder>(
  calls: readonly Call[],
  hasUsage: (call: Call) => boolean,
): Call[] {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const covered = new Map<string, boolean>();
  return calls.filter((call) => hasUsage(call) && !isCovered(call, byId, covered, hasUsage));
}

/** Has any call above this one usage? What was found out is kept, so that a deep trace is walked once. */
function isCovered<Call extends UsageHolder>(
  call: Call,
  byId: ReadonlyMap<string, Call>,
  covered: Map<string, boolean>,
  hasUsage: (call: Call) => boolean,
): boolean {
  const passed: string[] = [];
  let result = false;
  // A call that is its own ancestor has been passed.
  const seen = new Set<string>();
  for (let each: Call | undefined = call; each !== undefined && !seen.has(each.id);) {
    const known = covered.get(each.id);
    if (known !== undefined) {
      result = known;
      break;
    }
    seen.add(each.id);
    passed.push(each.id);
    const parent: Call | undefined = each.parent_id === null ? undefined : byId.get(each.parent_id);
    if (parent !== undefined && parent !== call && hasUsage(parent)) {
      result = true;
      break;
    }
    each = parent;
  }
  for (const id of passed) covered.set(id, result);
  return result;
}
