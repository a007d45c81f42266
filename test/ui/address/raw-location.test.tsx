import { cleanup, render } from '@testing-library/react';
import * as fc from 'fast-check';
import { act, type ReactElement } from 'react';
import { Router, useLocation, useRoute } from 'wouter';
import { afterEach, expect, test } from 'vitest';
import { CALLS } from '../../../src/ui/address/pages.ts';
import { decodedPart, paths } from '../../../src/ui/address/paths.ts';
import { rawLocation } from '../../../src/ui/address/raw-location.ts';
import { useAddress } from '../../../src/ui/address/use-address.ts';

afterEach(cleanup);

interface Seen {
  readonly thread: string;
  readonly q: string;
  readonly change: (q: string) => void;
  readonly go: (thread: string) => void;
}

let seen: Seen;

function Page(): ReactElement {
  const [, navigate] = useLocation();
  const [, params] = useRoute('/:entity/:project/threads/:id');
  const [{ q }, change] = useAddress(CALLS);
  seen = {
    thread: decodedPart(params?.id),
    q,
    change: (next) => change({ q: next }),
    go: (thread) => navigate(paths.thread('local/app', thread)),
  };
  return <p>page</p>;
}

/** All that may stand in an id and in a filter, with many signs that addresses give a meaning to. */
const text = fc.string({
  unit: fc.oneof(fc.constantFrom(...'%25+&=?#/ é"'), fc.string({ minLength: 1, maxLength: 1 })),
});

test.each(['/ui', '/tools/a%20b/ui'])('below %s an address is read as it was written', (base) => {
  history.replaceState(null, '', `${base}/local/app/threads/first`);
  const hooks = rawLocation();
  render(
    <Router base={base} {...hooks}>
      <Page />
    </Router>,
  );
  const id = text.filter((each) => each !== '' && each !== '.' && each !== '..');
  fc.assert(
    fc.property(id, text, (thread, q) => {
      act(() => seen.go(thread));
      act(() => seen.change(q));
      expect([seen.thread, seen.q]).toEqual([thread, q]);
    }),
    { numRuns: 100 },
  );
});
