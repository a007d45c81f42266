import type { TransparencyKit } from './kit.ts';
import { thrownBy } from './watching.ts';

/** Classes and constructor functions. */
export function constructorsTransparency({ check }: TransparencyKit): void {
  check('new makes an instance of a wrapped class', {
    run: ({ wrap }) => {
      class Shape {
        readonly sides: number;
        constructor(sides: number) {
          this.sides = sides;
        }
      }
      const Wrapped = wrap(Shape, 'Shape');
      const shape = new Wrapped(3);
      return [shape.sides, shape instanceof Shape, shape instanceof Wrapped, Wrapped.prototype === Shape.prototype];
    },
    sees: [3, true, true, true],
    calls: [{ op: 'Shape', inputs: [3], under: null }],
  });

  check('a wrapped class cannot be called without new, like any class', {
    run: ({ wrap }) => {
      class Shape {
        readonly sides = 3;
      }
      const Wrapped = wrap(Shape, 'Shape');
      void new Wrapped();
      return thrownBy(() => Reflect.apply(Wrapped as never, undefined, [])) instanceof TypeError;
    },
    sees: true,
    calls: (calls) => void calls,
  });

  check('statics of a wrapped class are those of the class, under either name', {
    run: ({ wrap }) => {
      class Counter {
        static made = 0;
        constructor() {
          Counter.made += 1;
        }
        static reset(): void {
          this.made = 0;
        }
      }
      const Wrapped = wrap(Counter, 'Counter');
      void new Wrapped();
      const made = [Wrapped.made, Counter.made];
      Wrapped.reset();
      return [...made, Counter.made];
    },
    sees: [1, 1, 0],
    calls: [{ op: 'Counter' }],
  });

  check('a wrapped class can be extended', {
    run: ({ wrap }) => {
      class Shape {
        readonly sides: number;
        readonly made: string;
        constructor(sides: number) {
          this.sides = sides;
          this.made = new.target.name;
        }
      }
      const Wrapped = wrap(Shape, 'Shape');
      class Square extends Wrapped {
        constructor() {
          super(4);
        }
      }
      const square = new Square();
      return [
        square.sides,
        square.made,
        square instanceof Square,
        square instanceof Shape,
        square.constructor === Square,
      ];
    },
    sees: [4, 'Square', true, true, true],
    calls: [{ op: 'Shape', inputs: [4] }],
  });

  check('new.target and Reflect.construct work through the wrapper', {
    run: ({ wrap }) => {
      class Shape {
        readonly made: string;
        constructor() {
          this.made = new.target.name;
        }
      }
      class Other {
        readonly label = 'other';
      }
      const Wrapped = wrap(Shape, 'Shape');
      const made = Reflect.construct<[], Shape>(Wrapped, [], Other);
      return [new Wrapped().made, made.made, made instanceof Other];
    },
    sees: ['Shape', 'Other', true],
    calls: [{ op: 'Shape' }, { op: 'Shape' }],
  });

  check('a constructor function of the old kind works with and without new', {
    run: ({ wrap }) => {
      function Point(this: { x?: number } | undefined, x: number): unknown {
        if (this === undefined) return `point ${x}`;
        this.x = x;
        return undefined;
      }
      const Wrapped = wrap(Point, 'Point');
      const point: unknown = Reflect.construct(Wrapped, [7]);
      return [point instanceof Point, { ...(point as object) }, Reflect.apply(Wrapped, undefined, [1])];
    },
    sees: [true, { x: 7 }, 'point 1'],
    calls: [
      { op: 'Point', inputs: [7] },
      { op: 'Point', inputs: [1], output: 'point 1' },
    ],
  });

  check('a constructor that throws does so with the very same error', {
    run: ({ wrap }) => {
      const error = new Error('half built');
      class Broken {
        readonly label = 'broken';
        constructor() {
          throw error;
        }
      }
      return thrownBy(() => new (wrap(Broken, 'Broken'))()) === error;
    },
    sees: true,
    calls: [{ op: 'Broken', error: 'half built' }],
  });

  check('what cannot be constructed stays so', {
    run: ({ wrap }) => {
      const arrow = wrap(() => 1, 'arrow');
      arrow();
      return thrownBy(() => Reflect.construct(Object, [], arrow)) instanceof TypeError;
    },
    sees: true,
    calls: [{ op: 'arrow', output: 1 }],
  });

  check('calls made in a constructor hang below it', {
    run: ({ wrap }) => {
      const connect = wrap(() => 'connected', 'connect');
      class Client {
        readonly state = connect();
      }
      return new (wrap(Client, 'Client'))().state;
    },
    sees: 'connected',
    calls: [
      { op: 'Client', under: null },
      { op: 'connect', under: 'Client' },
    ],
  });
}
