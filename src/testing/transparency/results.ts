import type { TransparencyKit } from './kit.ts';

/** Values and errors of synchronous functions. */
export function resultsTransparency({ check }: TransparencyKit): void {
  check('a synchronous value stays synchronous', {
    run: ({ wrap }) => {
      const result: unknown = wrap((a: number, b: number) => a + b, 'add')(1, 2);
      return { result };
    },
    sees: { result: 3 },
    calls: [{ op: 'add', inputs: [1, 2], output: 3, under: null }],
  });

  check('an object that is returned is the very same object', {
    run: ({ wrap }) => {
      const made = Object.freeze({ deep: { er: 1 } });
      return (
        wrap(function make() {
          return made;
        })() === made
      );
    },
    sees: true,
    calls: [{ op: 'make', output: { deep: { er: 1 } } }],
  });

  check('a synchronous throw stays synchronous', {
    run: ({ wrap }) => {
      const fail = wrap((): unknown => {
        throw new RangeError('too far');
      }, 'fail');
      try {
        return { returned: typeof fail() };
      } catch (error) {
        return { thrown: String(error) };
      }
    },
    sees: { thrown: 'RangeError: too far' },
    calls: [{ op: 'fail', error: 'too far' }],
  });

  check('the error that is thrown is the very same object, with the stack it had', {
    run: ({ wrap }) => {
      const error = Object.assign(new Error('mine'), { code: 'E_MINE' });
      const { stack } = error;
      const fail = wrap(() => {
        throw error;
      }, 'fail');
      try {
        fail();
      } catch (caught) {
        return [caught === error, error.stack === stack, Object.keys(error)];
      }
      return [];
    },
    sees: [true, true, ['code']],
    calls: [{ op: 'fail', error: 'mine' }],
  });
}
