import { expectTypeOf, test } from 'vitest';
import { Dataset } from '../../src/objects/dataset.ts';
import { get } from '../../src/objects/get.ts';
import type { ObjectRef } from '../../src/objects/object-ref.ts';
import { StringPrompt } from '../../src/objects/prompt.ts';
import { publish } from '../../src/objects/publish.ts';
import type { StoredFile } from '../../src/objects/stored-file.ts';
import { traced } from '../../src/tracing/wrap/traced.ts';

interface Settings {
  readonly model: string;
  readonly temperature?: number;
}

declare const settings: Settings;

test('the reference of a value knows its type', () => {
  expectTypeOf(publish(settings)).toEqualTypeOf<ObjectRef<Settings>>();
  expectTypeOf(publish({ temperature: 0.2 }, 'settings')).toEqualTypeOf<ObjectRef<{ temperature: number }>>();
  expectTypeOf(publish<Settings>({ model: 'm' })).toEqualTypeOf<ObjectRef<Settings>>();
  const unknown: unknown = settings;
  expectTypeOf(publish(unknown)).toEqualTypeOf<ObjectRef>();
});

test('what is read of a reference has the type of what was published', () => {
  expectTypeOf(publish(settings).get()).toEqualTypeOf<Promise<Settings>>();
  expectTypeOf(get(publish(settings))).toEqualTypeOf<Promise<Settings>>();
  expectTypeOf(publish([1, 2]).get()).resolves.toEqualTypeOf<number[]>();
  const all = Promise.all([publish(settings), publish('text' as string)].map((ref) => ref.get()));
  expectTypeOf(all).resolves.toEqualTypeOf<(Settings | string)[]>();
});

test('where the type is not known it is unknown, or what the reader says', () => {
  expectTypeOf(get('svc:///a/b/object/c:d')).toEqualTypeOf<Promise<unknown>>();
  expectTypeOf(get<Settings>('svc:///a/b/object/c:d')).toEqualTypeOf<Promise<Settings>>();
  expectTypeOf(get<{ image: StoredFile }>(publish({ image: new Uint8Array(1) }))).resolves.toEqualTypeOf<{
    image: StoredFile;
  }>();
  expectTypeOf(publish({ image: new Uint8Array(1) }).get<{ image: StoredFile }>()).resolves.toEqualTypeOf<{
    image: StoredFile;
  }>();
  const refs: (ObjectRef | string)[] = [publish(settings), 'svc:///a/b/object/c:d'];
  expectTypeOf(refs.map((ref) => get(ref))).toEqualTypeOf<Promise<unknown>[]>();
});

test('a reference goes where one of a wider type is wanted, and not the other way', () => {
  expectTypeOf<ObjectRef<Settings>>().toExtend<ObjectRef>();
  expectTypeOf<ObjectRef<Settings>>().toExtend<ObjectRef<{ readonly model: string }>>();
  expectTypeOf<ObjectRef>().not.toExtend<ObjectRef<Settings>>();
  expectTypeOf<ObjectRef<{ readonly model: number }>>().not.toExtend<ObjectRef<Settings>>();
});

test('types go on through functions of the user', () => {
  const roundTrip = <Value>(value: Value): Promise<Value> => publish(value).get();
  expectTypeOf(roundTrip(settings)).toEqualTypeOf<Promise<Settings>>();
});

test('prompts and datasets come back as such, and the source of a traced function as a file', () => {
  const prompt = new StringPrompt({ content: 'Hi {name}' });
  expectTypeOf(prompt.publish()).toEqualTypeOf<ObjectRef<StringPrompt<'Hi {name}'>>>();
  expectTypeOf(publish(prompt).get()).resolves.toEqualTypeOf<StringPrompt<'Hi {name}'>>();
  const dataset = new Dataset({ name: 'qa', rows: [{ q: 'a' }] });
  expectTypeOf(publish(dataset)).toEqualTypeOf<ObjectRef<Dataset<{ q: string }>>>();
  expectTypeOf(publish(traced((n: number) => n))).toEqualTypeOf<ObjectRef<StoredFile>>();
});
