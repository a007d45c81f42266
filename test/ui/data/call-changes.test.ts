import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import type { CallRow } from '../../../src/ui/data/answers.ts';
import { readChangedRecords, recordKey } from '../../../src/ui/data/call-changes.ts';
import { createQueryClient } from '../../../src/ui/data/query-client.ts';

test('a call that is looked at is read again when it changed, and no other', async () => {
  const client = createQueryClient(() => undefined);
  const read: string[] = [];
  const observers = ['a', 'b'].map((id) => {
    const queryFn = async () => {
      read.push(id);
      return null;
    };
    const observer = new QueryObserver(client, { queryKey: recordKey('local/app', id), queryFn });
    return observer.subscribe(() => undefined);
  });
  await vi.waitFor(() => expect(read).toEqual(['a', 'b']));
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  readChangedRecords(client, 'local/app', { rows: [{ id: 'b' } as CallRow] });
  await vi.waitFor(() => expect(read).toEqual(['a', 'b', 'b']));
  readChangedRecords(client, 'local/other', { rows: [{ id: 'a' } as CallRow] });
  expect(client.isFetching({ queryKey: recordKey('local/app', 'a') })).toBe(0);
  for (const unsubscribe of observers) unsubscribe();
});
