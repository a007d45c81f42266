import { afterEach, beforeEach, expect, test } from 'vitest';
import { digestJson } from '../../src/protocol/values/digest.ts';
import { describeOp } from '../../src/objects/op.ts';
import { publish } from '../../src/objects/publish.ts';
import { StringPrompt } from '../../src/objects/prompt.ts';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { type Recording, startRecording } from '../tracing/recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording({ describeOp });
});
afterEach(() => recording.stop());

/** What was sent last under a name. */
function valueOf(name: string): unknown {
  return recording.objects.findLast(({ objectId }) => objectId === name)?.val;
}

class Retriever {
  readonly limit = 3;
}

class Model {
  name = 'baseline';
  description = 'the first one';
  temperature = 0.2;
}

class TunedModel extends Model {
  readonly retriever = new Retriever();
}

test('an instance is stored with its class and base classes, nearest first', () => {
  const ref = publish(new TunedModel());
  const retriever = {
    _type: 'Retriever',
    _class_name: 'Retriever',
    _bases: ['Object', 'BaseModel'],
    limit: 3,
  };
  expect(ref.name).toBe('baseline');
  expect(valueOf('Retriever')).toEqual(retriever);
  expect(valueOf('baseline')).toEqual({
    _type: 'TunedModel',
    _class_name: 'TunedModel',
    _bases: ['Model', 'Object', 'BaseModel'],
    name: 'baseline',
    description: 'the first one',
    temperature: 0.2,
    retriever: `svc:///acme/demo/object/Retriever:${digestJson(retriever)}`,
  });
});

test('an instance inside a value is stored before it, under the name it was published with', () => {
  const retriever = new Retriever();
  publish(retriever, 'search');
  publish({ tools: [retriever], best: retriever }, 'setup');
  const ref = `svc:///acme/demo/object/search:${recording.objects[0]?.digest}`;
  expect(recording.objects.map(({ objectId }) => objectId)).toEqual(['search', 'setup']);
  expect(valueOf('setup')).toEqual({ tools: [ref], best: ref });
});

test('one instance in many places is one version and one request', () => {
  const retriever = new Retriever();
  publish({ a: retriever, b: [retriever, new Retriever()] }, 'setup');
  expect(recording.objects.map(({ objectId }) => objectId)).toEqual(['Retriever', 'setup']);
});

test('traced functions, prompts and references inside a value are references', () => {
  const sum = traced((a: number, b: number) => a + b, { name: 'sum' });
  const prompt = new StringPrompt({ name: 'ask', content: 'Why {thing}?' });
  const inner = publish([1], 'inner');
  publish({ sum, prompt, inner, plain: () => 1 }, 'setup');
  expect(recording.objects.map(({ objectId }) => objectId)).toEqual(['inner', 'sum', 'ask', 'setup']);
  const [, op, ask] = recording.objects;
  expect(valueOf('setup')).toEqual({
    sum: `svc:///acme/demo/op/sum:${op?.digest}`,
    prompt: `svc:///acme/demo/object/ask:${ask?.digest}`,
    inner: String(inner),
    plain: '[Function: plain]',
  });
  sum(1, 2);
  expect(recording.calls()[0]?.start.op_name).toBe(`svc:///acme/demo/op/sum:${op?.digest}`);
});

test('a traced function is published as the version its calls name', () => {
  const add = traced((a: number, b: number) => a + b, { name: 'add' });
  const before = publish(add);
  add(1, 2);
  expect(recording.calls()[0]?.start.op_name).toBe(String(before));
  expect(String(publish(add))).toBe(String(before));
  expect(recording.objects).toHaveLength(1);
});

test('a decorated method that was called is published under the name its calls have', () => {
  class Agent {
    @traced
    run() {
      return 1;
    }
  }
  const agent = new Agent();
  agent.run();
  const ref = publish(Reflect.get(agent, 'run'));
  expect(ref.name).toBe('Agent.run');
  expect(recording.calls()[0]?.start.op_name).toBe(String(ref));
});

test('a method in a field has the class of the instance in its name', () => {
  class Agent {
    run = traced(() => 1, { name: 'Agent.run' });
  }
  publish(new Agent());
  expect(valueOf('Agent')).toMatchObject({
    run: expect.stringMatching(/^svc:\/\/\/acme\/demo\/op\/Agent\.run:/) as string,
  });
});

test('circles are cut where they close', () => {
  class Parent {
    name = 'root';
    child: Child | undefined;
  }
  class Child {
    parent: Parent;
    constructor(parent: Parent) {
      this.parent = parent;
    }
  }
  const parent = new Parent();
  parent.child = new Child(parent);
  publish(parent);
  expect(valueOf('Child')).toMatchObject({ parent: '[Circular]' });
  expect(valueOf('root')).toMatchObject({ child: expect.stringMatching(/object\/Child:/) as string });
  const list: unknown[] = [];
  list.push(list);
  publish(list, 'list');
  expect(valueOf('list')).toEqual(['[Circular]']);
});

test('many instances that all know one another end in as many versions', () => {
  class Node {
    readonly id: number;
    others: Node[] = [];
    constructor(id: number) {
      this.id = id;
    }
  }
  const nodes = Array.from({ length: 25 }, (_, id) => new Node(id));
  for (const node of nodes) node.others = nodes.filter((other) => other !== node);
  publish(nodes[0], 'graph');
  expect(recording.objects).toHaveLength(25);
});

test('beyond a thousand, instances stay inside, with their class', () => {
  class Point {
    readonly x: number;
    constructor(x: number) {
      this.x = x;
    }
  }
  publish(
    Array.from({ length: 1002 }, (_, index) => new Point(index)),
    'points',
  );
  expect(recording.objects).toHaveLength(1001);
  expect((valueOf('points') as unknown[]).at(-1)).toEqual({
    _type: 'Point',
    _class_name: 'Point',
    _bases: ['Object', 'BaseModel'],
    x: 1001,
  });
});

test('what an instance makes of itself for JSON is what is stored', () => {
  class Account {
    readonly owner = 'a';
    readonly balance = 5;
    toJSON() {
      return { owner: this.owner };
    }
  }
  class Decimal {
    toJSON() {
      return '1.50';
    }
  }
  publish({ account: new Account(), price: new Decimal() }, 'order');
  expect(valueOf('Account')).toEqual({
    _type: 'Account',
    _class_name: 'Account',
    _bases: ['Object', 'BaseModel'],
    owner: 'a',
  });
  expect(valueOf('order')).toMatchObject({ price: '1.50' });
});

test('a field cannot pass for a class, and secrets in fields are masked', () => {
  class Odd {
    readonly _type = 'Op';
    readonly _bases = 'none';
    readonly apiKey = 'abc';
  }
  publish(new Odd());
  expect(valueOf('Odd')).toEqual({
    _type: 'Odd',
    _class_name: 'Odd',
    _bases: ['Object', 'BaseModel'],
    apiKey: '[masked]',
  });
});

test('the same value again is no request; one that was another meanwhile is sent to be the latest again', () => {
  publish({ n: 1 }, 'settings');
  publish({ n: 1 }, 'settings');
  expect(recording.objects).toHaveLength(1);
  publish({ n: 2 }, 'settings');
  publish({ n: 1 }, 'settings');
  expect(recording.objects.map(({ val }) => val)).toEqual([{ n: 1 }, { n: 2 }, { n: 1 }]);
});

test('wrong arguments are refused by name, at once', () => {
  expect(() => publish(undefined)).toThrow(
    new TypeError('Cannot publish: the argument "value" is undefined, which cannot be stored'),
  );
  expect(() => publish(Symbol('x'))).toThrow(/argument "value" is a symbol/);
  expect(() => publish(() => 1)).toThrow(/argument "value" is a function that is not traced/);
  expect(() => publish({}, 'a/b')).toThrow(/argument "name" is "a\/b": a name has no "\/"/);
  expect(() => publish({}, 'a:b')).toThrow(TypeError);
  expect(() => publish({}, 'a\nb')).toThrow(TypeError);
  expect(() => publish({}, '')).toThrow(/argument "name" is "": a name has a letter or a digit/);
  expect(() => publish({}, 'x'.repeat(129))).toThrow(/at most 128 characters/);
  // @ts-expect-error the types say so, too
  expect(() => publish({}, 5)).toThrow(/argument "name" is a number, not a text/);
  const add = traced(() => 1, { name: 'add' });
  expect(() => publish(add, 'other')).toThrow(/takes no argument "name"/);
  expect(recording.objects).toEqual([]);
});

test('null, texts and numbers can be published', () => {
  for (const value of [null, 'text', 5, true]) publish(value, `value-${String(value)}`);
  expect(recording.objects.map(({ val }) => val)).toEqual([null, 'text', 5, true]);
});

test('prompts that know each other are cut where the circle closes', () => {
  class Linked extends StringPrompt {
    other: Linked | undefined;
  }
  const [one, two] = [new Linked({ name: 'one', content: '' }), new Linked({ name: 'two', content: '' })];
  one.other = two;
  two.other = one;
  publish(one);
  expect(valueOf('one')).toMatchObject({ other: expect.stringMatching(/object\/two:/) as string });
  expect(recording.objects.map(({ objectId }) => objectId)).toEqual(['one', 'two', 'one']);
});

test('foreign code that throws costs its own member only', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  class Broken {
    readonly n = 1;
    constructor() {
      Object.defineProperty(this, 'bad', { enumerable: true, get: fail });
    }
  }
  const trap = new Proxy(new Broken(), { get: fail, ownKeys: fail, getPrototypeOf: fail });
  publish(
    {
      proxy,
      trap,
      broken: new Broken(),
      tag: {
        get [Symbol.toStringTag]() {
          return fail();
        },
      },
    },
    'broken-things',
  );
  expect(valueOf('broken-things')).toMatchObject({ proxy: '[Unreadable]', trap: '[Unreadable]', tag: {} });
  expect(valueOf('Broken')).toMatchObject({ n: 1, bad: '[Unreadable]' });
  expect(publish(proxy).name).toBe('object');
});

function fail(): never {
  throw new Error('no');
}
