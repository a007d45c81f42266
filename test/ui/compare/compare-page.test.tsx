// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Call } from '../../../src/protocol/call.ts';
import { type Comparer, comparerOf } from '../../../src/ui/compare/answer/comparer.ts';
import { OpenComparerContext } from '../../../src/ui/compare/answer/open-comparer.ts';
import { ComparePage } from '../../../src/ui/compare/compare-page.tsx';
import { PageError } from '../../../src/ui/data/page-error.ts';
import { createQueryClient } from '../../../src/ui/data/query-client.ts';
import { GoneContext } from '../../../src/ui/shell/gone.ts';
import { handleKey } from '../../../src/ui/shell/keys.ts';
import { type TestCall, traceOf } from '../../reader/compare/traces.ts';
import { answerOf, promptRef, readerOf, traceIdOf, V2 } from './given-runs.ts';

/** As the shell of the page hands keys on. */
addEventListener('keydown', handleKey);

function press(...keys: string[]): void {
  for (const key of keys) fireEvent.keyDown(document.body, { key });
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

interface Opened {
  readonly before: readonly Call[];
  readonly after: readonly Call[];
}

/** Shows two runs. @param search behind the sides */
function open(a: TestCall, b: TestCall, search = ''): Opened {
  const [before, after] = [traceOf(a), traceOf(b)];
  show(comparerOf(readerOf(before, after)), `?a=${traceIdOf(before)}&b=${traceIdOf(after)}${search}`);
  return { before, after };
}

function show(
  comparer: Comparer,
  search: string,
  { isGone = false, client = createQueryClient(() => undefined) } = {},
): (isGoneNow: boolean) => void {
  history.replaceState(null, '', `/acme/demo/compare${search}`);
  const page = (isGoneNow: boolean) => (
    <QueryClientProvider client={client}>
      <GoneContext value={isGoneNow}>
        <OpenComparerContext value={openNow}>
          <ComparePage project="acme/demo" />
        </OpenComparerContext>
      </GoneContext>
    </QueryClientProvider>
  );
  const openNow = () => comparer;
  const { rerender } = render(page(isGone));
  return (isGoneNow) => rerender(page(isGoneNow));
}

async function isCompared(): Promise<void> {
  await screen.findByRole('region', { name: 'What differs' });
}

function selected(): string {
  return screen.getByRole('row', { selected: true }).textContent ?? '';
}

function rowNames(): string[] {
  return screen.getAllByRole('row').map((row) => row.textContent ?? '');
}

function shown(name: string): string {
  return new URLSearchParams(location.search).get(name) ?? '';
}

const CHANGED = answerOf({ plan: { op: V2 } }, [{ op: 'mail', inputs: { to: 'x@shop.example' } }]);

describe('two runs', () => {
  test('have their causes on top, and their calls beside each other', async () => {
    open(answerOf(), CHANGED);
    await isCompared();
    const causes = within(screen.getByRole('region', { name: 'What differs' }));
    await causes.findByRole('button', { name: 'plan: code v7 → v8' });
    causes.getByText('1 more call differs');
    expect(rowNames().map((name) => name.replaceAll(/\d+ ms/g, ''))).toEqual([
      expect.stringContaining('answer'),
      expect.stringMatching(/plan.*≠ code v7 → v8.*plan/),
      expect.stringMatching(/search.*=alike.*search/),
      expect.stringMatching(/chat gpt-a.*=alike/),
      expect.stringMatching(/not in A\+ only in B.*mail/),
    ]);
    expect(document.title).toBe('Compare answer · demo · spoor');
  });

  test('are shown at the first cause, with the source of what was changed', async () => {
    open(answerOf(), CHANGED);
    await isCompared();
    expect(selected()).toContain('plan');
    const pair = within(screen.getByRole('region', { name: 'Selected pair' }));
    const source = await pair.findByRole('group', { name: 'Source of both versions' });
    expect(source.textContent).toMatch(/return 1;.*return 2;/s);
    expect([...source.querySelectorAll('del, ins')].map(({ textContent }) => textContent)).toEqual(['1', '2']);
    expect(pair.getByRole('link', { name: 'Open B' }).getAttribute('href')).toMatch(
      /\/acme\/demo\/trace\/trace-\d+\?call=call-/,
    );
  });

  test('are busy until the texts of what was changed are there', async () => {
    const [before, after] = [traceOf(answerOf()), traceOf(CHANGED)];
    const comparer = comparerOf(readerOf(before, after));
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const versions: Comparer['versions'] = async (change) => (await held, await comparer.versions(change));
    show({ ...comparer, versions }, `?a=${traceIdOf(before)}&b=${traceIdOf(after)}`);
    await isCompared();
    const part = await screen.findByRole('group', { name: 'Source of plan' });
    expect(part.getAttribute('aria-busy')).toBe('true');
    release();
    await within(part).findByRole('group', { name: 'Source of both versions' });
    expect(part.getAttribute('aria-busy')).toBe('false');
  });

  test('are walked by keys: lines, differences, folds, only changes', async () => {
    const { after } = open(answerOf(), CHANGED);
    await isCompared();
    press('n');
    expect(selected()).toContain('only in B');
    expect(shown('call')).toBe(after[4]?.id);
    expect(screen.getByRole('group', { name: 'Differences' }).textContent).toBe('Difference 2 of 2');
    press('n');
    expect(selected()).toContain('plan');
    press('N');
    expect(selected()).toContain('only in B');
    press('k', 'k');
    expect(selected()).toContain('search');
    press('u');
    expect(selected()).toContain('answer');
    press('h');
    expect(screen.getAllByRole('row')).toHaveLength(1);
    press('l', 'l');
    expect(selected()).toContain('plan');
    press('o');
    expect(screen.getAllByRole('row')).toHaveLength(3);
    expect(shown('only')).toBe('1');
  });

  test('are swapped by a key and by a button, and the address says so', async () => {
    const { before, after } = open(answerOf(), CHANGED);
    await isCompared();
    press('x');
    expect(await screen.findByText('− only in A')).toBeTruthy();
    expect([shown('a'), shown('b')]).toEqual([traceIdOf(after), traceIdOf(before)]);
    fireEvent.click(screen.getByRole('button', { name: 'Swap A and B' }));
    await screen.findByText('+ only in B');
  });

  test('are shown in other forms', async () => {
    open(answerOf(), answerOf({ plan: { op: V2 }, chat: { inputs: { prompt: promptRef('p2') } } }));
    await isCompared();
    press('3');
    const code = within(screen.getByRole('region', { name: 'Code' }));
    await code.findByText('very');
    expect(code.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'plan',
      'prompt-qa',
    ]);
    press('4');
    const table = screen.getByRole('table', { name: 'Numbers of each op' });
    expect(within(table).getAllByRole('row')).toHaveLength(1 + 4);
    fireEvent.click(screen.getByRole('button', { name: 'In/Out' }));
    await screen.findByRole('group', { name: 'Output' });
    expect(shown('as')).toBe('io');
    press('1');
    screen.getByRole('treegrid');
  });

  test('have tabs for the parts of a pair', async () => {
    open(answerOf(), CHANGED, '&tab=numbers');
    await isCompared();
    await screen.findByRole('table', { name: 'Numbers of both calls' });
    fireEvent.click(screen.getByRole('button', { name: 'Output' }));
    await screen.findByText('the same in both');
    expect(shown('tab')).toBe('output');
  });

  test('tell no change of numbers that nobody knows: of what has no end, and of models without a price', async () => {
    const usage = { 'gpt-a': { requests: 1, input_tokens: 10, output_tokens: 5 } };
    const priced = { usage, svc: { costs: { 'gpt-a': { prompt_tokens_total_cost: 0.0031 } } } };
    const unpriced = { usage, svc: { costs: {}, unpriced_models: ['gpt-a'] } };
    open(
      answerOf({ plan: { ended_at: null }, chat: { summary: priced } }),
      answerOf({ plan: { op: V2 }, chat: { summary: unpriced } }),
      '&tab=numbers',
    );
    await isCompared();
    const changesIn = (name: string): string[] => {
      const row = screen.getAllByRole('row').find(({ textContent }) => textContent.includes(name));
      return within(row ?? document.body)
        .getAllByRole('gridcell')
        .slice(-2)
        .map(({ textContent }) => textContent);
    };
    expect(changesIn('plan')).toEqual(['', '']);
    expect(changesIn('chat')[1]).toBe('');
    const changeOf = async (pair: string, line: string): Promise<string> => {
      fireEvent.click(
        screen.getAllByRole('row').find(({ textContent }) => textContent.includes(pair)) ?? document.body,
      );
      const cells = await waitFor(() => {
        const table = within(screen.getByRole('table', { name: 'Numbers of both calls' }));
        return within(table.getByRole('row', { name: new RegExp(`^${line}`) })).getAllByRole('cell');
      });
      return cells.map(({ textContent }) => textContent).join(' | ');
    };
    expect(await changeOf('plan', 'Latency')).toMatch(/^no end \| [^|]+ \| $/);
    await waitFor(async () => expect(await changeOf('chat', 'Cost')).toMatch(/^\$0\.0031 \| no price \| $/));
    press('4');
    const table = within(screen.getByRole('table', { name: 'Numbers of each op' }));
    const cellsOf = (op: string): string[] =>
      within(table.getByRole('row', { name: new RegExp(`^${op}`) }))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent);
    expect(cellsOf('plan').slice(2, 4)).toEqual([expect.stringMatching(/^no end → \d/), '']);
    expect(cellsOf('chat').slice(-2)).toEqual(['$0.0031 → no price', '']);
  });

  test('of which nothing differs say so', async () => {
    open(answerOf(), answerOf());
    await isCompared();
    screen.getByText('Nothing differs but numbers');
    screen.getByText('No differences');
    press('o');
    await screen.findByText('Nothing differs but numbers: all calls are alike.');
    press('n', 'j', 'u', 'h', 'l');
    press('3');
    expect(await screen.findByText('No code was changed')).toBeTruthy();
  });

  test('are found in by words', async () => {
    open(answerOf(), CHANGED);
    await isCompared();
    press('/');
    const field = screen.getByRole('textbox', { name: /Find in both/ });
    fireEvent.change(field, { target: { value: 'gpt-a' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(selected()).toContain('chat');
    expect(screen.getAllByText('gpt-a', { selector: 'mark' })).toHaveLength(2);
  });

  test('are text, whatever they say', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u202eabc';
    const call = (output: string): TestCall => ({
      op: 'root',
      calls: [{ op: `op ${hostile}`, inputs: { [hostile]: 1 }, output }],
    });
    open(call('one'), call(`two ${hostile}`));
    await isCompared();
    await screen.findAllByText(/⟨U\+202E⟩abc/);
    expect(document.querySelector('img')).toBeNull();
  });

  test('of which one still ran can be compared again', async () => {
    const { after } = open(answerOf(), { ...CHANGED, ended_at: null });
    await isCompared();
    fireEvent.click(screen.getByRole('button', { name: 'Compare again' }));
    await waitFor(() => expect(screen.getByRole('row', { selected: true })).toBeTruthy());
    expect(after.length).toBe(5);
  });
});

describe('a comparison', () => {
  test('of what is not there says which side it is', async () => {
    const after = traceOf(answerOf());
    show(comparerOf(readerOf(after)), `?a=nothing&b=${traceIdOf(after)}`);
    await screen.findByText('A is not here');
    screen.getByText(/has the id nothing/);
    expect(screen.getByRole('button', { name: /^B ?\d.*answer/ })).toBeTruthy();
  });

  test('with the run before says that there is none', async () => {
    const after = traceOf(answerOf());
    show(comparerOf(readerOf(after)), `?a=${traceIdOf(after)}`);
    expect(await screen.findByText('There is no run before this one')).toBeTruthy();
    expect(screen.getByRole('button', { name: /^A ?the run before/ })).toBeTruthy();
    expect(screen.getByRole('button', { name: /^B ?\d.*answer/ })).toBeTruthy();
  });

  test('with the run before is not swapped while there is none', async () => {
    const after = traceOf(answerOf());
    show(comparerOf(readerOf(after)), `?a=${traceIdOf(after)}`);
    await screen.findByText('There is no run before this one');
    const asked = location.search;
    press('x');
    fireEvent.click(screen.getByRole('button', { name: /^Swap/ }));
    expect(location.search).toBe(asked);
    screen.getByText('There is no run before this one');
  });

  test('of a run with the one before names each side as it is asked for while both are read', async () => {
    const after = traceOf(answerOf());
    const reading = { ...comparerOf(readerOf(after)), compare: async () => await new Promise<never>(() => undefined) };
    show(reading, `?a=${traceIdOf(after)}`);
    expect(await screen.findByRole('button', { name: /^A ?the run before/ })).toBeTruthy();
    expect(screen.getByRole('button', { name: new RegExp(`^B ?${traceIdOf(after)}`) })).toBeTruthy();
  });

  test('of nothing says so', async () => {
    show(comparerOf(readerOf()), '');
    expect(await screen.findByText('Neither side is here')).toBeTruthy();
  });

  test('that fails says why, and is tried again once the service is back', async () => {
    const [before, after] = [traceOf(answerOf()), traceOf(CHANGED)];
    const working = comparerOf(readerOf(before, after));
    let isAway = true;
    const comparer: Comparer = {
      ...working,
      compare: async (...args) => {
        if (isAway) throw new PageError('The service does not answer', { status: 0, code: 'network_error' });
        return await working.compare(...args);
      },
    };
    const setGone = show(comparer, `?a=${traceIdOf(before)}&b=${traceIdOf(after)}`, { isGone: true });
    await screen.findByText(/The calls could not be compared: The service does not answer/);
    expect(screen.getByText('Both sides will be here once they can be read')).toBeTruthy();
    isAway = false;
    setGone(false);
    await isCompared();
    expect(selected()).toContain('plan');
  });

  test('that takes long says what has come, and can be stopped and gone on with', async () => {
    const [before, after] = [traceOf(answerOf()), traceOf(CHANGED)];
    const working = comparerOf(readerOf(before, after));
    let isHeld = true;
    const comparer: Comparer = {
      ...working,
      compare: async (ids, options) => {
        options?.onCount?.(1400);
        if (isHeld) await new Promise((_resolve, reject) => options?.signal?.addEventListener('abort', reject));
        return await working.compare(ids, options);
      },
    };
    show(comparer, `?a=${traceIdOf(before)}&b=${traceIdOf(after)}`);
    await screen.findByText(/Reading both sides, 1,400 calls/, undefined, { timeout: 20_000 });
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await screen.findByText(/Stopped reading both sides/);
    isHeld = false;
    fireEvent.click(screen.getByRole('button', { name: 'Go on' }));
    await isCompared();
    expect(selected()).toContain('plan');
  });

  test('that is left while versions are read asks for them anew when one comes back', async () => {
    const [before, after] = [traceOf(answerOf()), traceOf(CHANGED)];
    const search = `?a=${traceIdOf(before)}&b=${traceIdOf(after)}`;
    const client = createQueryClient(() => undefined);
    const asked: string[] = [];
    // As a thread that is ended: it answers nothing more.
    const never = async (kind: string) => {
      asked.push(kind);
      return await new Promise<never>(() => undefined);
    };
    const working = comparerOf(readerOf(before, after));
    const ended: Comparer = {
      ...working,
      versions: async () => await never('versions'),
      numbers: async () => await never('numbers'),
    };
    show(ended, search, { client });
    await isCompared();
    await waitFor(() => expect(asked).toEqual(expect.arrayContaining(['versions', 'numbers'])));
    cleanup();
    show(comparerOf(readerOf(before, after)), search, { client });
    await isCompared();
    await screen.findByRole('group', { name: 'Source of both versions' });
    await within(screen.getByRole('region', { name: 'What differs' })).findByRole('button', {
      name: 'plan: code v7 → v8',
    });
  });

  test('that is left while a pair is read asks for it anew when one comes back', async () => {
    const [before, after] = [traceOf(answerOf()), traceOf(CHANGED)];
    const search = `?a=${traceIdOf(before)}&b=${traceIdOf(after)}`;
    const client = createQueryClient(() => undefined);
    let hasAsked = false;
    const ended: Comparer = {
      ...comparerOf(readerOf(before, after)),
      pair: async () => {
        hasAsked = true;
        return await new Promise<never>(() => undefined);
      },
    };
    show(ended, search, { client });
    await waitFor(() => expect(hasAsked).toBe(true));
    cleanup();
    show(comparerOf(readerOf(before, after)), search, { client });
    await screen.findByRole('group', { name: 'Source of both versions' });
  });
});

describe('the focus', () => {
  const selectedRow = () => screen.getByRole('row', { selected: true });
  const focused = () => document.activeElement;

  test('stays at the button that swaps, and is in the tree again after the key', async () => {
    open(answerOf(), CHANGED);
    await isCompared();
    const before = shown('a');
    const swap = screen.getByRole('button', { name: /^Swap/ });
    swap.focus();
    fireEvent.click(swap);
    await waitFor(() => expect(shown('b')).toBe(before));
    await isCompared();
    expect(focused()).toBe(screen.getByRole('button', { name: /^Swap/ }));
    selectedRow().focus();
    press('x');
    await waitFor(() => expect(shown('a')).toBe(before));
    await isCompared();
    await waitFor(() => expect(focused()).toBe(selectedRow()));
  });

  test('is not taken by a page that is opened', async () => {
    open(answerOf(), CHANGED);
    await isCompared();
    expect(focused()).toBe(document.body);
  });

  test('is in the tree when nothing can be compared again any more', async () => {
    const [before, after] = [traceOf(answerOf()), traceOf({ ...CHANGED, ended_at: null })];
    const working = comparerOf(readerOf(before, after));
    show(working, `?a=${traceIdOf(before)}&b=${traceIdOf(after)}`);
    await isCompared();
    const again = screen.getByRole('button', { name: 'Compare again' });
    again.focus();
    const [root] = after;
    if (root !== undefined) Object.assign(root, { ended_at: root.started_at });
    fireEvent.click(again);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Compare again' })).toBeNull());
    await waitFor(() => expect(focused()).toBe(selectedRow()));
  });

  test('stays at a part of a pair while others are read, and goes to what is shown where there is no such part', async () => {
    const [before, after] = [
      traceOf(answerOf()),
      traceOf(answerOf({ plan: { op: V2 }, search: { output: ['doc-2'] } })),
    ];
    const working = comparerOf(readerOf(before, after));
    let go = (): void => undefined;
    const slow: Comparer = {
      ...working,
      pair: async (...args) => {
        await new Promise<void>((resolve) => (go = resolve));
        return await working.pair(...args);
      },
    };
    show(slow, `?a=${traceIdOf(before)}&b=${traceIdOf(after)}&tab=code`);
    await isCompared();
    // The table of pairs says that there is a source, before it is read.
    const parts = within(screen.getByRole('group', { name: 'Part of the pair' }));
    const code = parts.getByRole('button', { name: 'Code' });
    code.focus();
    go();
    await screen.findByRole('group', { name: 'Source of both versions' });
    expect(focused()).toBe(code);
    press('n');
    await screen.findByLabelText('Reading both calls');
    expect(focused()).toBe(parts.getByRole('button', { name: 'Code' }));
    go();
    await waitFor(() => expect(parts.queryByRole('button', { name: 'Code' })).toBeNull());
    await waitFor(() => expect(focused()).toBe(parts.getByRole('button', { pressed: true })));
  });

  test('goes with a pair on a phone, which fills the screen and closes again', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
    open(answerOf(), CHANGED);
    await isCompared();
    expect(focused()).toBe(document.body);
    const button = screen.getByRole('button', { name: 'Open' });
    button.focus();
    fireEvent.click(button);
    const close = await screen.findByRole('button', { name: 'Calls of both sides' });
    expect(focused()).toBe(close);
    fireEvent.click(close);
    expect(focused()).toBe(await screen.findByRole('button', { name: 'Open' }));
  });
});
