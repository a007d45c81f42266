import { expectTypeOf, test } from 'vitest';
import { Dataset, type DatasetOptions } from '../../src/objects/dataset.ts';
import type { ObjectRef } from '../../src/objects/object-ref.ts';

interface Question {
  readonly text: string;
  readonly tags?: string[];
}

test('rows have the type they were given with', async () => {
  const dataset = new Dataset({ name: 'qa', rows: [{ q: 'a', n: 1 }] });
  expectTypeOf(dataset).toEqualTypeOf<Dataset<{ q: string; n: number }>>();
  for await (const row of dataset) expectTypeOf(row).toEqualTypeOf<{ q: string; n: number }>();
  expectTypeOf(dataset.row('svc:///a/b/table/c/id/d')).resolves.toEqualTypeOf<{ q: string; n: number }>();
  expectTypeOf(dataset.publish()).toEqualTypeOf<ObjectRef<typeof dataset>>();
  expectTypeOf(dataset.append([{ q: 'b', n: 2 }])).resolves.toEqualTypeOf<ObjectRef<typeof dataset>>();
  expectTypeOf(dataset.refOf({ q: 'b', n: 2 })).toEqualTypeOf<ObjectRef<{ q: string; n: number }> | undefined>();
});

test('an interface is a row', () => {
  const dataset = new Dataset<Question>({ name: 'qa', rows: [{ text: 'What?' }] });
  expectTypeOf<Parameters<typeof dataset.append>>().toEqualTypeOf<[rows: readonly Question[]]>();
  expectTypeOf<DatasetOptions<Question>['rows']>().toEqualTypeOf<readonly Question[]>();
});

test('an opened dataset has the rows its reader says, or unknown members', () => {
  expectTypeOf(Dataset.open<Question>('ref')).resolves.toEqualTypeOf<Dataset<Question>>();
  const dataset = new Dataset<Question>({ name: 'qa', rows: [] });
  expectTypeOf(Dataset.open(dataset.publish())).resolves.toEqualTypeOf<Dataset<Question>>();
  expectTypeOf(Dataset.open('ref')).resolves.toEqualTypeOf<Dataset>();
});

test('what is no row is refused', () => {
  const dataset = new Dataset({ name: 'qa', rows: [{ q: 'a' }] });
  // @ts-expect-error a text is no row
  expectTypeOf(new Dataset({ name: 'qa', rows: ['a'] })).not.toBeAny();
  // @ts-expect-error a dataset has a name
  expectTypeOf(new Dataset({ rows: [] })).not.toBeAny();
  // @ts-expect-error another row
  expectTypeOf(dataset.append([{ other: 1 }])).resolves.toEqualTypeOf<ObjectRef>();
});
