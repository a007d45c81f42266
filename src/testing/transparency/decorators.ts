import type { TransparencyKit } from './kit.ts';
import type { Decorator } from './subject.ts';
import { thrownBy } from './watching.ts';

/** Decorated methods in both modes of the compiler: of the language, and `experimentalDecorators`. */
export function decoratorsTransparency(kit: TransparencyKit): void {
  ofTheLanguage(kit);
  experimental(kit);
}

function ofTheLanguage({ check }: TransparencyKit): void {
  check('a decorated method behaves as the bare one', {
    run: async ({ decorate }) => {
      class Agent {
        readonly #name = 'Ada';
        @decorate({ name: 'greet' })
        greet(word: string): string {
          return `${word} ${this.#name}`;
        }
        @decorate({ name: 'later' })
        async later(): Promise<string> {
          return this.greet('Bye');
        }
      }
      const agent = new Agent();
      return [agent.greet('Hi'), await agent.later(), Object.keys(agent), Agent.prototype.greet.name];
    },
    sees: ['Hi Ada', 'Bye Ada', [], 'greet'],
    calls: [
      { op: 'greet', inputs: ['Hi'], output: 'Hi Ada', under: null },
      { op: 'later', output: 'Bye Ada', under: null },
      { op: 'greet', inputs: ['Bye'], under: 'later' },
    ],
  });

  check('a decorated generator method stays lazy and keeps its receiver', {
    run: ({ decorate }) => {
      let begun = 0;
      class Range {
        readonly #end = 2;
        @decorate({ name: 'values' })
        *values(): Generator<number> {
          begun += 1;
          for (let value = 0; value < this.#end; value++) yield value;
        }
      }
      const values = new Range().values();
      const before = begun;
      return [before, [...values]];
    },
    sees: [0, [0, 1]],
    calls: [{ op: 'values', output: [0, 1] }],
  });

  check('a decorated static method has its class as receiver', {
    run: ({ decorate }) => {
      class Registry {
        static readonly entries = ['a', 'b'];
        readonly label = 'registry';
        @decorate({ name: 'find' })
        static find(at: number): string | undefined {
          return this.entries[at];
        }
      }
      return [Registry.find(1), Registry.find.name];
    },
    sees: ['b', 'find'],
    calls: [{ op: 'find', inputs: [1], output: 'b' }],
  });

  check('a decorated private method works, static or not', {
    run: ({ decorate }) => {
      class Safe {
        readonly #code = 42;
        @decorate({ name: 'open' })
        #open(add: number): number {
          return this.#code + add;
        }
        @decorate({ name: 'check' })
        static #check(safe: Safe): boolean {
          return safe.#open(1) === 43;
        }
        static tryIt(): boolean {
          return Safe.#check(new Safe());
        }
      }
      return Safe.tryIt();
    },
    sees: true,
    calls: [
      { op: 'check', output: true },
      { op: 'open', inputs: [1], output: 43, under: 'check' },
    ],
  });

  check('a decorated method that is inherited gets the instance of the subclass', {
    run: ({ decorate }) => {
      class Animal {
        readonly sound: string = '…';
        @decorate({ name: 'speak' })
        speak(): string {
          return this.sound;
        }
      }
      class Dog extends Animal {
        override readonly sound = 'woof';
      }
      return [new Dog().speak(), Object.hasOwn(Dog.prototype, 'speak')];
    },
    sees: ['woof', false],
    calls: [{ op: 'speak', output: 'woof' }],
  });

  check('a decorated method that overrides another reaches it by super', {
    run: ({ decorate }) => {
      class Animal {
        @decorate({ name: 'base' })
        speak(): string {
          return 'sound';
        }
      }
      class Dog extends Animal {
        @decorate({ name: 'override' })
        override speak(): string {
          return `${super.speak()} of a dog`;
        }
      }
      return new Dog().speak();
    },
    sees: 'sound of a dog',
    calls: [
      { op: 'override', output: 'sound of a dog', under: null },
      { op: 'base', output: 'sound', under: 'override' },
    ],
  });

  check('a constructor that throws does so through decorated methods as well', {
    run: ({ decorate }) => {
      const error = new Error('half built');
      class Broken {
        readonly part = this.build();
        @decorate({ name: 'build' })
        build(): never {
          throw error;
        }
      }
      return thrownBy(() => new Broken()) === error;
    },
    sees: true,
    calls: [{ op: 'build', error: 'half built' }],
  });

  check('a decorated field that holds a function keeps its receiver', {
    run: ({ decorate }) => {
      class Counter {
        count = 0;
        @decorate({ name: 'add' })
        add = (by: number): number => (this.count += by);
      }
      const { add } = new Counter();
      return [add(2), add(3)];
    },
    sees: [2, 5],
    calls: [
      { op: 'add', inputs: [2], output: 2 },
      { op: 'add', inputs: [3], output: 5 },
    ],
  });
}

/** The code that the compiler makes of `@decorator` before a method under `experimentalDecorators`. */
function applyExperimental(decorator: Decorator, target: object, key: string): void {
  const descriptor = Object.getOwnPropertyDescriptor(target, key) as PropertyDescriptor;
  Object.defineProperty(target, key, decorator(target, key, descriptor));
}

function experimental({ check }: TransparencyKit): void {
  check('a method that is decorated in experimental mode behaves as the bare one', {
    run: async ({ decorate }) => {
      class Agent {
        readonly #name = 'Ada';
        greet(word: string): string {
          return `${word} ${this.#name}`;
        }
        async later(): Promise<string> {
          return this.greet('Bye');
        }
      }
      applyExperimental(decorate({ name: 'greet' }), Agent.prototype, 'greet');
      applyExperimental(decorate({ name: 'later' }), Agent.prototype, 'later');
      const agent = new Agent();
      const { enumerable, writable } = Object.getOwnPropertyDescriptor(Agent.prototype, 'greet') ?? {};
      return [agent.greet('Hi'), await agent.later(), enumerable, writable, Agent.prototype.greet.name];
    },
    sees: ['Hi Ada', 'Bye Ada', false, true, 'greet'],
    calls: [
      { op: 'greet', inputs: ['Hi'], under: null },
      { op: 'later', under: null },
      { op: 'greet', inputs: ['Bye'], under: 'later' },
    ],
  });

  check('a static method that is decorated in experimental mode has its class as receiver', {
    run: ({ decorate }) => {
      class Registry {
        static readonly entries = ['a', 'b'];
        readonly label = 'registry';
        static find(at: number): string | undefined {
          return this.entries[at];
        }
      }
      applyExperimental(decorate({ name: 'find' }), Registry, 'find');
      return Registry.find(1);
    },
    sees: 'b',
    calls: [{ op: 'find', inputs: [1], output: 'b' }],
  });

  check('methods that are decorated in experimental mode are inherited, and overridden with super', {
    run: ({ decorate }) => {
      class Animal {
        speak(): string {
          return `sound of ${this.constructor.name}`;
        }
      }
      class Dog extends Animal {}
      class Cat extends Animal {
        override speak(): string {
          return `${super.speak()}: meow`;
        }
      }
      applyExperimental(decorate({ name: 'base' }), Animal.prototype, 'speak');
      applyExperimental(decorate({ name: 'override' }), Cat.prototype, 'speak');
      return [new Dog().speak(), new Cat().speak()];
    },
    sees: ['sound of Dog', 'sound of Cat: meow'],
    calls: [
      { op: 'base', output: 'sound of Dog', under: null },
      { op: 'override', under: null },
      { op: 'base', output: 'sound of Cat', under: 'override' },
    ],
  });

  check('a constructor that throws does so through methods decorated in experimental mode', {
    run: ({ decorate }) => {
      const error = new Error('half built');
      class Broken {
        constructor() {
          this.build();
        }
        build(): void {
          throw error;
        }
      }
      applyExperimental(decorate({ name: 'build' }), Broken.prototype, 'build');
      return thrownBy(() => new Broken()) === error;
    },
    sees: true,
    calls: [{ op: 'build', error: 'half built' }],
  });
}
