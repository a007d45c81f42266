import { TracingError } from '../protocol/error.ts';
import { formatRef, isRef, parseRef, type RefParts, type RefStep } from '../protocol/ref.ts';
import { recall } from './published-values.ts';
import { rowIn } from './table-memory.ts';

/** An answer of memory: the value, or where to go on reading. */
export type Recalled = { readonly value: unknown } | { readonly ref: string };

/** As many references inside values as the service follows. */
const MAX_HOPS = 32;

/**
 * Follows a reference through the values that this process published, also before they are sent. `undefined` when not
 * even its beginning is known. Throws `not_found` where it leads nowhere.
 */
export function recallPath(ref: RefParts): Recalled | undefined {
  let here = ref;
  for (let hops = 0; hops <= MAX_HOPS; hops += 1) {
    const known = recall(formatRef({ ...here, extra: [] }));
    if (known === undefined) break;
    const reached = walk(known.value, here.extra, ref);
    if ('value' in reached) return reached;
    const target = parseRef(reached.at);
    here = { ...target, extra: [...target.extra, ...reached.steps] };
  }
  return here === ref ? undefined : { ref: formatRef(here) };
}

type Reached = { readonly value: unknown } | { readonly at: string; readonly steps: readonly RefStep[] };

/** Takes steps until there are none, or a reference is reached behind which they go on. */
function walk(value: unknown, steps: readonly RefStep[], ref: RefParts): Reached {
  let here = value;
  for (const [index, step] of steps.entries()) {
    if (typeof here === 'string' && isRef(here)) return { at: here, steps: steps.slice(index) };
    here = memberOf(here, step);
    if (here === undefined) throw nothingAt(formatRef(ref), step);
  }
  return { value: here };
}

function memberOf(value: unknown, { edge, value: name }: RefStep): unknown {
  if (Array.isArray(value) && edge === 'id') return rowIn(value, name);
  if (Array.isArray(value)) return edge === 'index' ? (value[Number(name)] as unknown) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const isMember = (edge === 'attr' || edge === 'key') && Object.hasOwn(value, name);
  return isMember ? (value as Record<string, unknown>)[name] : undefined;
}

function nothingAt(ref: string, { edge, value }: RefStep): TracingError {
  return new TracingError('not_found', `Cannot read "${ref}": there is nothing at "${edge}/${value}"`);
}
