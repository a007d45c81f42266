import type { BenchWrap, TransparencyKit } from './kit.ts';
import { thrownBy } from './watching.ts';

interface Named {
  readonly name: string;
  readonly greet?: unknown;
}

function greet(this: Named, word: string): string {
  return `${word} ${this.name}`;
}

/** The receiver of a call, in every form in which a function can get one. */
export function receiversTransparency({ check }: TransparencyKit): void {
  const ways: Readonly<Record<string, (wrapped: typeof greet) => unknown>> = {
    'a method gets its object': (wrapped) => ({ name: 'Ada', greet: wrapped }).greet('Hi'),
    'a method that another object borrows gets that object': (wrapped) => {
      const owner = { name: 'Ada', greet: wrapped };
      // Borrowing is what the check is about.
      // oxlint-disable-next-line typescript/unbound-method
      return { name: 'Bob', greet: owner.greet }.greet('Hi');
    },
    'call hands its receiver on': (wrapped) => wrapped.call({ name: 'Cid' }, 'Hi'),
    'apply hands its receiver on': (wrapped) => wrapped.apply({ name: 'Dot' }, ['Hi']),
    'bind hands its receiver and arguments on': (wrapped) => wrapped.bind({ name: 'Eve' }, 'Hi')(),
    'Reflect.apply hands its receiver on': (wrapped) => Reflect.apply(wrapped, { name: 'Flo' }, ['Hi']),
  };
  for (const [name, way] of Object.entries(ways)) {
    const seen = way(greet);
    check(name, {
      run: ({ wrap }) => way(wrap(greet, 'greet')),
      sees: seen,
      calls: [{ op: 'greet', inputs: ['Hi'], output: seen }],
    });
  }

  check('a function that is called without a receiver gets none', {
    run: ({ wrap }) =>
      wrap(function whoAmI(this: unknown) {
        return String(this);
      }, 'whoAmI')(),
    sees: 'undefined',
    calls: [{ op: 'whoAmI', output: 'undefined' }],
  });

  check('a receiver that is no object is not made one', {
    run: ({ wrap }) => {
      const kind = wrap(function kind(this: unknown) {
        return typeof this;
      }, 'kind');
      return Reflect.apply(kind, 5, []);
    },
    sees: 'number',
    calls: [{ op: 'kind', output: 'number' }],
  });

  check('an arrow function keeps the receiver of where it was made', {
    run: ({ wrap }) => new Maker(wrap).make().call({ name: 'other' }),
    sees: 'maker',
    calls: [{ op: 'arrow', output: 'maker' }],
  });

  check('a method of a class reaches the private fields of its instance', {
    run: ({ wrap }) => {
      wrapMethod(Account.prototype, 'deposit', wrap);
      try {
        return [new Account().deposit(5), String(thrownBy(() => Account.prototype.deposit.call({} as never, 1)))];
      } finally {
        Object.defineProperty(Account.prototype, 'deposit', { value: DEPOSIT, writable: true, configurable: true });
      }
    },
    sees: [5, 'TypeError: Cannot read private member #balance from an object whose class did not declare it'],
    calls: [
      { op: 'deposit', inputs: [5], output: 5 },
      { op: 'deposit', inputs: [1], error: 'Cannot read private member' },
    ],
  });

  check('arguments arrive as they are: the same objects, holes and as many as were given', {
    run: ({ wrap }) => {
      const given = { a: 1 };
      const count = wrap(function count(this: unknown, ...args: unknown[]) {
        return [args.length, args[0] === given, args[1], 1 in args];
      }, 'count');
      return count(given, undefined, null);
    },
    sees: [3, true, undefined, true],
    calls: [{ op: 'count', output: [3, true, null, true] }],
  });

  check('a default stands where an argument was left out', {
    run: ({ wrap }) => {
      const repeat = wrap((text: string, times = 2) => text.repeat(times), 'repeat');
      return [repeat('a'), repeat('b', undefined), repeat('c', 1)];
    },
    sees: ['aa', 'bb', 'c'],
    calls: [
      { op: 'repeat', output: 'aa' },
      { op: 'repeat', output: 'bb' },
      { op: 'repeat', inputs: ['c', 1] },
    ],
  });
}

class Maker {
  readonly name = 'maker';
  readonly #wrap: BenchWrap;

  constructor(wrap: BenchWrap) {
    this.#wrap = wrap;
  }

  make(): (this: unknown) => string {
    return this.#wrap(() => this.name, 'arrow');
  }
}

class Account {
  #balance = 0;

  deposit(amount: number): number {
    this.#balance += amount;
    return this.#balance;
  }
}

// It is put back as it was.
// oxlint-disable-next-line typescript/unbound-method
const DEPOSIT = Account.prototype.deposit;

function wrapMethod(owner: object, name: string, wrap: BenchWrap): void {
  const method = Reflect.get(owner, name) as () => unknown;
  Object.defineProperty(owner, name, { value: wrap(method, name), writable: true, configurable: true });
}
