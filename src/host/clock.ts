const node = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process;

/** The clock of the wall, as it was when this module was loaded: tests let it stand still, or show another year. */
const RealDate: DateConstructor = isReal(globalThis.Date) ? globalThis.Date : freshDate();

/** Taken once, as tests also replace the methods of what is there; they do not use what they are methods of. */
// oxlint-disable-next-line typescript/unbound-method
const { now: wallNow, parse } = RealDate;

class OwnDate extends RealDate {
  static override now(): number {
    return wallNow();
  }

  static override parse(text: string): number {
    return parse(text);
  }
}

export { OwnDate as Date };

/** The clock that never goes back. */
export const performance = { now: (): number => read() };

let read = (): number => {
  read = openClock();
  return read();
};

/** Node loads its clock when somebody first asks it the time, which is not when a program is loaded. */
function openClock(): () => number {
  const { performance: clock } = (node?.getBuiltinModule?.('node:perf_hooks') ?? globalThis) as typeof globalThis;
  // Tests replace the method of the object; the one that all objects share stays.
  const { now } = Object.getPrototypeOf(clock) as Partial<typeof clock>;
  return now === undefined ? () => clock.now() : now.bind(clock);
}

function isReal(given: DateConstructor): boolean {
  return /\[native code\]/.test(Function.prototype.toString.call(given)) && !('clock' in given);
}

/** Whoever loads this package when time is faked already: that of another realm is not. */
function freshDate(): DateConstructor {
  const vm = node?.getBuiltinModule?.('node:vm') as { runInNewContext(code: string): DateConstructor } | undefined;
  return vm?.runInNewContext('Date') ?? globalThis.Date;
}
