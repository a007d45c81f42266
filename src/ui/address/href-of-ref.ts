import { isRef, parseRef } from '../../protocol/ref.ts';
import { CALLS } from './pages.ts';
import { paths } from './paths.ts';

/**
 * Where a reference leads: a call to itself in the list, an op to its calls. Objects and tables have no page yet. The trace
 * of a call is not told by its reference, and the panel of the list needs none.
 */
export function hrefOfRef(text: string): string | undefined {
  if (!isRef(text)) return undefined;
  const ref = parseRef(text);
  const calls = (state: Parameters<typeof CALLS.write>[1]) =>
    `${paths.calls(`${ref.entity}/${ref.project}`)}?${CALLS.write('', { t: 'all', roots: false, ...state })}`;
  if (ref.kind === 'call') return calls({ sel: ref.id });
  return ref.kind === 'op' ? calls({ q: `op:${quotedWord(ref.name)}` }) : undefined;
}

/** A value of the filter, which ends words at blanks and brackets. */
export function quotedWord(value: string): string {
  return /[\s"()]/.test(value) ? JSON.stringify(value) : value;
}
