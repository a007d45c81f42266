import type { Param } from './codec.ts';

export function text(fallback = ''): Param<string> {
  return { fallback, read: (given) => given, print: (value) => value };
}

export function oneOf<const T extends string>(fallback: T, ...others: readonly T[]): Param<T> {
  const values: readonly string[] = [fallback, ...others];
  return {
    fallback,
    read: (given) => (values.includes(given) ? (given as T) : undefined),
    print: (value) => value,
  };
}

export function flag(fallback: boolean): Param<boolean> {
  return {
    fallback,
    read: (given) => (given === '1' ? true : given === '0' ? false : undefined),
    print: (value) => (value ? '1' : '0'),
  };
}

/** Words without commas, in their order. */
export function list(): Param<readonly string[]> {
  return {
    fallback: [],
    read: (given) => given.split(',').filter((word) => word !== ''),
    print: (value) => value.join(','),
  };
}

/** Two numbers, such as a part of a time line. */
export function span(): Param<readonly [number, number] | undefined> {
  return {
    fallback: undefined,
    read(given) {
      const [from, to] = given.split(',').map(Number);
      const isSpan =
        from !== undefined && to !== undefined && Number.isFinite(from) && Number.isFinite(to) && from < to;
      return isSpan ? [from, to] : undefined;
    },
    print: (value) => value?.join(',') ?? '',
  };
}
