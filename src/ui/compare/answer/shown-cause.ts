import type { Cause, ObjectChange } from '../../../reader/compare/cause.ts';
import type { ValueChange } from '../../../reader/compare/value-changes.ts';
import type { ShownCause, ShownChange, ShownObject } from './answer.ts';

/** A row has room for a few. */
const MAX_CHANGES = 3;
const MAX_VALUE = 60;

/** A cause without the values that differ, which may be large: those of one pair are asked for. */
export function shownCause(cause: Cause): ShownCause {
  switch (cause.kind) {
    case 'code':
      return cause;
    case 'object':
      return { kind: 'object', objects: onlyOnce(cause.objects) };
    case 'output':
      return { kind: 'output', ends: cause.ends };
    default:
      return {
        kind: cause.kind,
        changes: cause.changes.slice(0, MAX_CHANGES).map((change) => shownChange(change, cause.kind !== 'input')),
        count: cause.changes.length,
      };
  }
}

/** The same object may stand at several places of one input. */
function onlyOnce(objects: readonly ObjectChange[]): readonly ShownObject[] {
  const known = new Map<string, ShownObject>();
  for (const { kind, name, a, b } of objects) known.set(JSON.stringify([kind, name, a, b]), { kind, name, a, b });
  return [...known.values()];
}

function shownChange(change: ValueChange, isSetting: boolean): ShownChange {
  return {
    path: pathText(change.path),
    ...(isSetting && 'a' in change && { a: valueText(change.a) }),
    ...(isSetting && 'b' in change && { b: valueText(change.b) }),
  };
}

/** `messages[0].content`; empty for the whole value. */
export function pathText(path: ValueChange['path']): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE).toWellFormed()}…` : text;
}
