import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AsOfContext } from '../../../src/ui/data/as-of.ts';
import { PageError } from '../../../src/ui/data/page-error.ts';
import { GoneContext } from '../../../src/ui/shell/gone.ts';
import { PhoneBarContext } from '../../../src/ui/shell/phone-bar.tsx';
import { handleKey } from '../../../src/ui/shell/keys.ts';
import type { TraceSkeleton } from '../../../src/ui/trace/layout/skeleton.ts';
import type { TraceAddress } from '../../../src/ui/trace/trace-address.ts';
import { TracePane } from '../../../src/ui/trace/trace-pane.tsx';
import { CallState } from '../../../src/ui/trace/layout/skeleton.ts';
import type { TraceListener, TraceSource } from '../../../src/ui/trace/use-trace-skeleton.ts';
import { type GivenCall, skeletonOf, START_US } from './skeletons.ts';

const TICKET: GivenCall[] = [
  { op: 'answer_ticket', kind: 'agent', end: 100, state: 4 },
  { parent: 0, op: 'plan', start: 1, end: 20 },
  { parent: 1, op: 'chat', kind: 'llm', model: 'gpt-5-mini', start: 2, end: 19 },
  { parent: 0, op: 'send_email', kind: 'tool', start: 30, end: 90, state: 1, error: 'SMTPError: no mailbox' },
  { parent: 3, op: 'smtp.send', start: 40, end: 80, state: 1 },
];

/** A trace that can grow and whose service can be away. */
class Service implements TraceSource {
  #skeleton: TraceSkeleton;
  #isAway = false;
  #listener: TraceListener | undefined;

  constructor(calls: readonly GivenCall[]) {
    this.#skeleton = skeletonOf(calls);
  }

  reads = 0;
  failure = new Error('the service is away');

  readonly read = (): Promise<TraceSkeleton> => {
    this.reads += 1;
    return this.#isAway ? Promise.reject(this.failure) : Promise.resolve(this.#skeleton);
  };

  readonly watch = (listener: TraceListener): (() => void) => {
    this.#listener = listener;
    return () => undefined;
  };

  /** Grows before anybody is told of changes, and tells from then on. */
  growUntold(skeleton: TraceSkeleton): void {
    this.#skeleton = skeleton;
    act(() => this.#listener?.onReturn());
  }

  grow(skeleton: TraceSkeleton): void {
    this.#skeleton = skeleton;
    act(() => this.#listener?.onChange());
  }

  /** Is there again, and says nothing of it. */
  heal(): void {
    this.#isAway = false;
  }

  setAway(isAway: boolean): void {
    this.#isAway = isAway;
    act(() => this.#listener?.onChange());
  }
}

interface Opened {
  readonly address: () => TraceAddress;
  readonly steps: string[];
}

async function open(source: TraceSource, given: Partial<TraceAddress> = {}): Promise<Opened> {
  let shown: TraceAddress = { as: 'tree', find: '', fold: [], ...given };
  const steps: string[] = [];
  function Page(): ReactNode {
    const [address, setAddress] = useState(shown);
    return (
      <TracePane
        source={source}
        address={address}
        change={(change, step) => {
          steps.push(step);
          shown = { ...shown, ...change };
          setAddress(shown);
        }}
        onBack={() => steps.push('back')}
        detail={(id, state) => (
          <>
            <p>detail of {id}</p>
            <p>it is {state}</p>
          </>
        )}
      />
    );
  }
  render(<Page />);
  // Until it is read, it is a trace and no more; without calls it stays one.
  await waitFor(() => {
    const isEmpty = screen.queryByText('No calls in this trace') !== null;
    expect(isEmpty || screen.getByRole('heading', { level: 1 }).textContent !== 'Trace').toBe(true);
  });
  return { address: () => shown, steps };
}

function names(): string[] {
  return screen.getAllByRole('row').map((row) => row.querySelector('[role=gridcell]')?.textContent ?? '');
}

function selected(): string {
  return screen.getByRole('row', { selected: true }).querySelector('[role=gridcell]')?.textContent ?? '';
}

/** As the shell of the page hands keys on. */
addEventListener('keydown', handleKey);

function press(...keys: string[]): void {
  for (const key of keys) fireEvent.keyDown(document.body, { key });
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a trace is a tree grid that says level, place among siblings and what is unfolded', async () => {
  await open(new Service(TICKET));
  const row = screen.getByRole('row', { name: /send_email/ });
  const said = ['aria-level', 'aria-posinset', 'aria-setsize', 'aria-expanded'].map((name) => row.getAttribute(name));
  expect(said).toEqual(['2', '2', '2', 'true']);
  expect(screen.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('5');
  expect(screen.getAllByRole('row').filter((each) => each.getAttribute('tabindex') === '0')).toHaveLength(1);
});

test('keys move along the lines, fold and unfold them, and go to the parent', async () => {
  const { address } = await open(new Service(TICKET));
  press('j', 'j');
  expect(selected()).toMatch(/chat gpt-5-mini/);
  press('h');
  expect(selected()).toMatch(/plan/);
  press('h');
  expect(names()).toHaveLength(4);
  expect(address().fold).toHaveLength(1);
  press('l');
  fireEvent.keyDown(screen.getByRole('row', { selected: true }), { key: 'End' });
  press('u');
  expect(selected()).toMatch(/send_email/);
});

test('errors are visited in order and round, and the selected call is in the address and in the detail', async () => {
  const { address, steps } = await open(new Service(TICKET));
  press('n');
  expect(selected()).toMatch(/send_email/);
  press('n', 'n');
  expect(selected()).toMatch(/send_email/);
  press('N');
  expect(selected()).toMatch(/smtp\.send/);
  const id = skeletonOf(TICKET).ids[4] ?? '';
  expect(address().call).toBe(id);
  await screen.findByText(`detail of ${id}`);
  expect(new Set(steps)).toEqual(new Set(['replace']));
  fireEvent.click(screen.getByRole('row', { name: /plan/ }));
  expect(steps.at(-1)).toBe('push');
});

describe('scrubbers', () => {
  const SCRUBBED: GivenCall[] = [
    { op: 'answer', name: 'root', end: 100 },
    { parent: 0, op: 'plan', name: 'plan', start: 1, end: 20 },
    { parent: 1, op: 'chat', name: 'first chat', start: 2, end: 10 },
    { parent: 1, op: 'chat', name: 'second chat', start: 12, end: 19 },
    { parent: 0, op: 'search', name: 'search', start: 30, end: 50 },
    { parent: 4, op: 'chat', name: 'third chat', start: 31, end: 40 },
    { parent: 0, op: 'write', name: 'write', start: 60, end: 90 },
  ];

  /** The name of the selected call, which is the one of the address too. */
  function place({ address }: Opened): string {
    const { call } = address();
    const name = SCRUBBED[skeletonOf(SCRUBBED).ids.indexOf(call ?? '')]?.name ?? 'root';
    expect(selected()).toContain(name);
    return name;
  }

  function walk(opened: Opened, keys: readonly string[]): string[] {
    return keys.map((key) => {
      press(key);
      return place(opened);
    });
  }

  test('. and , go through all calls as they started, whatever is folded, and stop at both ends', async () => {
    const opened = await open(new Service(SCRUBBED));
    press('j', 'h');
    expect(names()).toHaveLength(5);
    expect(walk(opened, ['.', '.', '.', '.', '.', '.'])).toEqual(
      'first chat, second chat, search, third chat, write, write'.split(', '),
    );
    expect(names()).toHaveLength(7);
    expect(walk(opened, [',', ',', ',', ',', ',', ',', ','])).toEqual(
      'third chat, search, second chat, first chat, plan, root, root'.split(', '),
    );
  });

  test('p and P go to the calls of the same op, wherever they are', async () => {
    const opened = await open(new Service(SCRUBBED), { call: skeletonOf(SCRUBBED).ids[2] ?? '' });
    expect(walk(opened, ['p', 'p', 'p'])).toEqual(['second chat', 'third chat', 'third chat']);
    expect(walk(opened, ['P', 'P', 'P'])).toEqual(['second chat', 'first chat', 'first chat']);
  });

  test('] and [ go from sibling to sibling, over what is below them', async () => {
    const opened = await open(new Service(SCRUBBED), { call: skeletonOf(SCRUBBED).ids[1] ?? '' });
    expect(walk(opened, [']', ']', ']'])).toEqual(['search', 'write', 'write']);
    expect(walk(opened, ['[', '[', '['])).toEqual(['search', 'plan', 'plan']);
  });
});

test('H folds all below a line and L unfolds all of it, where h and l do one level', async () => {
  await open(new Service(TICKET));
  press('h', 'l');
  expect(names()).toHaveLength(5);
  press('H');
  expect(names()).toHaveLength(1);
  press('l');
  // What is below has been folded too.
  expect(names()).toHaveLength(3);
  press('L');
  expect(names()).toHaveLength(5);
});

test('Shift and arrows move what is seen by a fifth of it, as far as there is something', async () => {
  const { address } = await open(new Service(TICKET));
  const pan = (...keys: string[]): void => {
    for (const key of keys) fireEvent.keyDown(document.body, { key, shiftKey: true });
  };
  // The address is written when the zoom stays.
  const seen = async (from: number, to: number): Promise<void> =>
    await waitFor(() => {
      const { zoom } = address();
      expect([zoom?.from, zoom?.to].map((at = 0) => Math.round(at))).toEqual([from * 1000, to * 1000]);
    });
  // What is seen is everything: there is nowhere to go.
  pan('ArrowRight');
  expect(address().zoom).toBeUndefined();
  press('z');
  await seen(25, 75);
  pan('ArrowRight');
  await seen(35, 85);
  pan('ArrowLeft', 'ArrowLeft');
  await seen(15, 65);
  pan('ArrowLeft', 'ArrowLeft');
  await seen(0, 50);
  pan(...Array.from({ length: 9 }, () => 'ArrowRight'));
  await seen(50, 100);
});

describe('buttons above the lines', () => {
  const dimmed = (): string[] =>
    screen
      .getAllByRole('row')
      .filter(({ className }) => className.includes('dimmed'))
      .map((row) => row.querySelector('[role=gridcell]')?.textContent ?? '');

  test('the critical path fades the lines of what did not hold up the end', async () => {
    const ranks = Array.from({ length: 30 }, (_, index) => ({ parent: 0, op: 'rank', start: 40 + index }));
    await open(
      new Service([
        { op: 'answer', end: 100 },
        { parent: 0, op: 'plan', end: 20 },
        { parent: 0, op: 'write', start: 25, end: 95 },
        { parent: 2, op: 'chat', start: 26, end: 90 },
        { parent: 0, op: 'watch', start: 30, end: 38 },
        ...ranks,
      ]),
    );
    const button = screen.getByRole('button', { name: 'Critical path' });
    expect([button.getAttribute('aria-pressed'), dimmed()]).toEqual(['false', []]);
    fireEvent.click(button);
    expect(button.getAttribute('aria-pressed')).toBe('true');
    expect(dimmed()).toEqual([expect.stringContaining('watch'), expect.stringContaining('rank')]);
    fireEvent.click(button);
    expect([button.getAttribute('aria-pressed'), dimmed()]).toEqual(['false', []]);
  });

  test('idle time is folded until one wants to see it, and the axis says how long it was', async () => {
    const said = () => screen.queryByText(/^≈ .* idle$/)?.textContent;
    await open(
      new Service([
        { op: 'answer', end: 10_000 },
        { parent: 0, op: 'plan', end: 1000 },
        { parent: 0, op: 'write', start: 9000, end: 10_000 },
      ]),
    );
    const button = screen.getByRole('button', { name: 'Idle folded' });
    expect([button.getAttribute('aria-pressed'), said()]).toEqual(['true', '≈ 7.96 s idle']);
    fireEvent.click(button);
    expect([button.getAttribute('aria-pressed'), said()]).toEqual(['false', undefined]);
    fireEvent.click(button);
    expect([button.getAttribute('aria-pressed'), said()]).toEqual(['true', '≈ 7.96 s idle']);
  });

  test('where no time is idle there is no button for it', async () => {
    await open(new Service(TICKET));
    expect(screen.queryByRole('button', { name: 'Idle folded' })).toBeNull();
  });
});

test('letters that are typed are no keys of the page', async () => {
  await open(new Service(TICKET));
  press('/');
  const field = screen.getByRole('textbox', { name: /Find in trace/ });
  fireEvent.keyDown(field, { key: 'j' });
  expect(selected()).toMatch(/answer_ticket/);
  fireEvent.change(field, { target: { value: 'smtp' } });
  expect(screen.getByRole('search').textContent).toContain('2');
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(selected()).toMatch(/send_email/);
  expect(screen.getByRole('search').textContent).toContain('1 of 2');
});

test('an address opens its call, whatever would hide it', async () => {
  const run = Array.from({ length: 30 }, (_, index) => ({ parent: 0, op: 'rank', start: 30 + index }));
  const calls = [...TICKET.slice(0, 1), ...run];
  await open(new Service(calls), { call: skeletonOf(calls).ids[9] ?? '' });
  expect(selected()).toMatch(/rank/);
  expect(names().length).toBeGreaterThan(10);
});

test('repeats are one line with how many there are and how many failed', async () => {
  const run = Array.from({ length: 148 }, (_, index) => ({
    parent: 0,
    op: 'rerank',
    start: 2,
    state: Number(index < 2),
  }));
  await open(new Service([...TICKET.slice(0, 1), ...run]));
  expect(names()[1]).toMatch(/rerank× 1482/);
  expect(screen.getByRole('img', { name: '2 failed' })).toBeDefined();
});

test('a trace that grows keeps its folds and its selection, also when calls come in front of them', async () => {
  const service = new Service(TICKET);
  await open(service);
  press('j', 'h', 'j');
  expect(selected()).toMatch(/send_email/);
  const late: GivenCall = { parent: 0, op: 'late', start: 1, end: 2 };
  const moved = TICKET.slice(1).map((call) => ({ ...call, parent: call.parent === 0 ? 0 : (call.parent ?? 0) + 1 }));
  const grown = skeletonOf([...TICKET.slice(0, 1), late, ...moved]);
  const [first = '', ...rest] = skeletonOf(TICKET).ids;
  service.grow({ ...grown, ids: [first, 'late', ...rest] });
  await screen.findByRole('row', { name: /late/ });
  expect(selected()).toMatch(/send_email/);
  expect(names()).toHaveLength(5);
});

test('an address of a call that is still on its way is followed when it comes', async () => {
  const whole = skeletonOf(TICKET);
  const service = new Service(TICKET.slice(0, 3));
  await open(service, { call: whole.ids[4] ?? '' });
  expect(selected()).toMatch(/answer_ticket/);
  service.grow(whole);
  await waitFor(() => expect(selected()).toMatch(/smtp\.send/));
});

test('what changed before anybody told of changes is read where something runs, and else not again', async () => {
  const running: GivenCall = { op: 'answer_ticket', start: 0, end: null, state: CallState.running };
  const service = new Service([running]);
  await open(service);
  service.growUntold(skeletonOf([running, { parent: 0, op: 'late', start: 1, end: 2 }]));
  await screen.findByRole('row', { name: /late/ });
  cleanup();
  const over = new Service([{ op: 'answer_ticket', start: 0, end: 9 }]);
  await open(over);
  over.growUntold(skeletonOf(TICKET));
  expect(over.reads).toBe(1);
});

test('a service that goes away is said, what was shown stays, and a retry brings it back', async () => {
  const service = new Service(TICKET);
  await open(service);
  service.setAway(true);
  expect((await screen.findByRole('alert')).textContent).toContain('the service is away');
  expect(names()).toHaveLength(5);
  service.setAway(false);
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('a read that fails is told unless the page says that the service is gone, and is made again when it is back', async () => {
  const service = new Service(TICKET);
  service.failure = new PageError('The service does not answer', { status: 0, code: 'unavailable' });
  const page = (isGone: boolean) => (
    <GoneContext value={isGone}>
      <TracePane
        source={service}
        address={{ as: 'tree', find: '', fold: [] }}
        change={() => undefined}
        detail={() => null}
      />
    </GoneContext>
  );
  const { rerender } = render(page(false));
  await screen.findAllByRole('row');
  service.setAway(true);
  expect((await screen.findByRole('alert')).textContent).toContain('does not answer');
  rerender(page(true));
  expect(screen.queryByRole('alert')).toBeNull();
  service.heal();
  rerender(page(false));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(service.reads).toBe(3);
});

test('a trace without calls says what may be the reason', async () => {
  await open(new Service([]));
  expect(screen.getByRole('heading').textContent).toBe('Trace');
  expect(screen.getByText('No calls in this trace').nextSibling?.textContent).toContain('It was deleted');
});

test('the first call of a trace is read also when it came before anybody told of changes', async () => {
  const service = new Service([]);
  await open(service);
  service.growUntold(skeletonOf(TICKET));
  expect(await screen.findAllByRole('row')).toHaveLength(5);
});

test('charts are told in words, with the ops as rows', async () => {
  await open(new Service(TICKET), { as: 'flame' });
  expect(screen.getByRole('group', { name: /Flame chart of 5 calls/ })).toBeDefined();
  expect(screen.getByRole('table', { name: 'Ops in view' }).textContent).toContain('chat gpt-5-mini');
  press('3');
  expect(screen.getByRole('group', { name: /merged stacks of 5 calls/ })).toBeDefined();
});

test('what calls hold is text, never markup', async () => {
  const hostile = '<img src=x onerror=alert(1)>';
  await open(new Service([{ op: hostile, name: hostile, error: hostile, model: hostile, state: 1 }]));
  expect(document.querySelector('img')).toBeNull();
  expect(screen.getByRole('heading').textContent).toBe(hostile);
});

test('the pane of a call is told that it never ended', async () => {
  await open(
    new Service([
      { op: 'answer', end: 100 },
      { parent: 0, op: 'lost', start: 1, end: null, state: CallState.neverEnded },
    ]),
  );
  press('j');
  expect(await screen.findByText('it is never_ended')).toBeTruthy();
});

test('a layout that fails is told in its place, and can be tried again', async () => {
  const whole = skeletonOf(TICKET);
  let isBroken = true;
  const source: TraceSource = {
    read: () => Promise.resolve({ ...whole, parents: brokenColumn(() => isBroken, whole) }),
  };
  render(<TracePane source={source} address={{ as: 'tree', find: '', fold: [] }} change={() => undefined} />);
  await screen.findByText(/could not be laid out: Array buffer allocation failed/);
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('treegrid')).toBeTruthy();
});

/** A column that cannot be read for a while, as there is no room for what is made of it. */
function brokenColumn(isBroken: () => boolean, { parents }: TraceSkeleton): Int32Array {
  return new Proxy(parents, {
    get(column, name) {
      if (isBroken()) throw new RangeError('Array buffer allocation failed');
      const value: unknown = Reflect.get(column, name, column);
      return typeof value === 'function' ? (value.bind(column) as unknown) : value;
    },
  });
}

test('a file says how long a trace ran until it was written', async () => {
  const written = START_US / 1000 + 90_000;
  const calls: GivenCall[] = [{ op: 'answer', end: null, state: CallState.running }];
  const source: TraceSource = { read: () => Promise.resolve(skeletonOf(calls)) };
  render(
    <AsOfContext value={written}>
      <TracePane source={source} address={{ as: 'tree', find: '', fold: [] }} change={() => undefined} />
    </AsOfContext>,
  );
  await screen.findByRole('row', { name: /answer/ });
  expect(document.body.textContent).toContain('1 m 30 s');
});

test('a page that was hidden reads the trace again, also one that was over: a call may have come, or gone', async () => {
  const service = new Service(TICKET);
  await open(service);
  service.growUntold(skeletonOf(TICKET));
  expect(service.reads).toBe(1);
  service.growUntold(skeletonOf([...TICKET, { parent: 0, op: 'late', start: 95, end: 99 }]));
  await screen.findByRole('row', { name: /late/ });
});

test('a trace that is read, and one that could not be, have the place of their pane as wide as it will be', async () => {
  const source: TraceSource = { read: () => Promise.reject(new Error('the service is away')) };
  const { container } = render(
    <TracePane
      source={source}
      address={{ as: 'tree', find: '', fold: [] }}
      change={() => undefined}
      detail={() => 'x'}
    />,
  );
  const place = (): string | undefined => container.querySelector<HTMLElement>('[class*=pane]')?.style.width;
  expect(place()).toBe('456px');
  await screen.findByText(/could not be read: the service is away/);
  expect(place()).toBe('456px');
  expect(screen.getByText('Call')).toBeTruthy();
  expect(screen.getByText('Its calls will be here once they can be read')).toBeTruthy();
  // A bar of nothing would be a picture of a tool bar.
  expect(container.querySelector('[class*=toolbar]')).toBeNull();
  expect(container.querySelector('[class*=minimap]')).toBeNull();
});

test('on a phone the bar on top leads back also from a trace that is read, could not be, or has no calls', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  const bar = document.body.appendChild(document.createElement('div'));
  const backs: string[] = [];
  const read = vi
    .fn<TraceSource['read']>()
    .mockRejectedValueOnce(new Error('the service is away'))
    .mockResolvedValue(skeletonOf([]));
  const source: TraceSource = { read };
  render(
    <PhoneBarContext value={bar}>
      <TracePane
        source={source}
        address={{ as: 'tree', find: '', fold: [] }}
        change={() => undefined}
        onBack={() => backs.push('back')}
      />
    </PhoneBarContext>,
  );
  const goBack = (): void => void fireEvent.click(within(bar).getByRole('button', { name: /Back to calls/ }));
  goBack();
  await screen.findByText(/could not be read: the service is away/);
  goBack();
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('No calls in this trace');
  goBack();
  expect(backs).toHaveLength(3);
  expect(within(bar).getByRole<HTMLButtonElement>('button', { name: 'Next call' }).disabled).toBe(true);
  bar.remove();
});

test('while a trace is read there are bars in the places of all its parts, and none once that was stopped', async () => {
  const source: TraceSource = { read: () => new Promise(() => undefined) };
  const { container } = render(
    <TracePane
      source={source}
      address={{ as: 'tree', find: '', fold: [] }}
      change={() => undefined}
      detail={() => 'x'}
    />,
  );
  const barsIn = (part: string): number => container.querySelectorAll(`[class*=${part}] i`).length;
  const bars = (): readonly number[] => ['toolbar', 'minimap', 'lines', '_pane'].map(barsIn);
  await waitFor(() => expect(Math.min(...bars())).toBeGreaterThan(0));
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }, { timeout: 5000 }));
  expect(bars()).toEqual([0, 0, 0, 0]);
});
