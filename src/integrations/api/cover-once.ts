import { captures } from '../../tracing/captures.ts';
import { coverMethod } from '../../tracing/observe/cover.ts';
import { disguise } from '../../tracing/wrap/wrap.ts';

/**
 * Puts a method that cannot be told from it over one of `target`, unless there is one of ours already. Answers `false` when
 * there is no such method, or the object cannot be changed.
 */
export function coverOnce(target: object, key: string, make: Parameters<typeof coverMethod>[2]): boolean {
  const original: unknown = Reflect.get(target, key);
  if (typeof original !== 'function') return false;
  if (captures.methods.has(original)) return true;
  return coverMethod(target, key, (method) => {
    const covered = disguise(make(method), method);
    captures.methods.add(covered);
    return covered;
  });
}
