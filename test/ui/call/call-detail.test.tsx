import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CallDetail, type CallDetailProps } from '../../../src/ui/call/call-detail.tsx';
import { type CallSource, CallSourceContext, type Feedback } from '../../../src/ui/call/call-source.ts';
import { CallsBelowContext } from '../../../src/ui/call/calls-below.ts';
import type { GivenFeedback } from '../../../src/ui/data/give-feedback.ts';
import { AsOfContext, PausedContext } from '../../../src/ui/data/as-of.ts';
import { PageError } from '../../../src/ui/data/page-error.ts';
import { ToastPlace } from '../../../src/ui/controls/toast.tsx';
import { handleKey } from '../../../src/ui/shell/keys.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const HOSTILE = '<img src=x onerror="globalThis.hurt=1"><script>globalThis.hurt=1</script>[x](javascript:hurt)\u202e';

const CALL = {
  id: 'c1',
  project_id: 'local/app',
  op_name: 'plan',
  display_name: null as string | null,
  trace_id: 't',
  parent_id: null,
  thread_id: null,
  started_at: '2026-01-01T00:00:00Z',
  ended_at: '2026-01-01T00:00:01.240Z' as string | null,
  exception: null as string | null,
  attributes: {} as object,
  inputs: { question: 'why' } as object,
  output: 'because' as unknown,
  summary: {} as object,
};

const MESSAGES = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Where is it?' },
];

const CHAT = {
  ...CALL,
  attributes: { kind: 'llm' },
  inputs: { model: 'm', temperature: 0.2, messages: MESSAGES },
  output: { choices: [{ message: { role: 'assistant', content: 'On its **way**' }, finish_reason: 'stop' }] },
  summary: {
    usage: { m: { requests: 1, input_tokens: 1870, output_tokens: 440 } },
    stream: { first_chunk_ms: 310 },
    svc: { unpriced_models: ['m'] },
  },
};

const NO_SOURCE: CallSource = {
  projectId: 'local/app',
  hrefOfRef: () => undefined,
  readCall: async () => '{"call":null}',
  readFile: async () => undefined,
  readObject: async () => undefined,
  readFeedback: async () => [],
};

interface World {
  readonly given: GivenFeedback[];
}

function show(call: object | null, source: Partial<CallSource> = {}, props: Partial<CallDetailProps> = {}): World {
  const given: GivenFeedback[] = [];
  const whole: CallSource = {
    ...NO_SOURCE,
    readCall: async () => JSON.stringify({ call }),
    giveFeedback: async (_id, feedback) => void given.push(feedback),
    ...source,
  };
  render(<Around source={whole} {...props} />);
  return { given };
}

const QUICK = { defaultOptions: { queries: { retry: false } } };

interface AroundProps extends Partial<CallDetailProps> {
  readonly source: CallSource;
  readonly client?: QueryClient;
}

function Around({ source, client = new QueryClient(QUICK), ...props }: AroundProps): ReactElement {
  return (
    <QueryClientProvider client={client}>
      <ToastPlace>
        <CallSourceContext value={source}>
          <CallDetail callId="c1" {...props} />
        </CallSourceContext>
      </ToastPlace>
    </QueryClientProvider>
  );
}

const textOf = () => document.body.textContent;

describe('a call', () => {
  test('shows what went in and came out, with its latency', async () => {
    show(CALL);
    expect(await screen.findByRole('heading', { name: 'plan' })).toBeTruthy();
    expect(textOf()).toContain('1.24 s');
    expect(screen.getByRole('tree', { name: 'input' }).textContent).toContain('"question": "why"');
    expect(textOf()).toContain('because');
  });

  test('of a model opens as the conversation, with tokens and the model that has no price', async () => {
    show(CHAT);
    const messages = await screen.findByRole('log', { name: 'Messages' });
    expect(messages.textContent).toContain('Where is it?');
    expect(within(messages).getByText('temperature')).toBeTruthy();
    expect(textOf()).toContain('310 ms');
    expect(textOf()).toContain('1,870');
    expect(screen.getByTitle('No price: m').textContent).toBe('no price');
    fireEvent.click(screen.getByRole('tab', { name: 'Usage' }));
    expect(screen.getAllByText('no price').length).toBe(2);
    expect(textOf()).not.toContain('unknown');
  });

  test('says that it was copied, and where the browser does not let it, that it was not', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>(async () => undefined);
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    show(CALL);
    fireEvent.click(await screen.findByRole('button', { name: 'Copy input' }));
    expect(await screen.findByText('Copied')).toBeTruthy();
    writeText.mockRejectedValue(new Error('not here'));
    for (const name of ['Copy input', 'Copy path input.question']) {
      cleanup();
      show(CALL);
      fireEvent.click(await screen.findByRole('button', { name }));
      expect(await screen.findByText(/^Could not be copied/)).toBeTruthy();
    }
    vi.unstubAllGlobals();
  });

  test('of two models, one without a price, costs at least what the other does', async () => {
    const usage = { m: { input_tokens: 1870 }, known: { input_tokens: 10 } };
    const costs = { known: { prompt_token_cost: 0.001, prompt_tokens_total_cost: 0.01 } };
    show({ ...CHAT, summary: { usage, svc: { unpriced_models: ['m'], costs } } });
    expect((await screen.findByTitle('No price: m')).textContent).toBe('≥ $0.010');
  });

  describe('in its tabs', () => {
    const whole = {
      ...CALL,
      attributes: { kind: 'tool', env: 'staging' },
      inputs: { question: 'why' },
      output: { answer: 'because' },
      summary: {
        usage: {
          small: {
            requests: 2,
            input_tokens: 1000,
            cache_read_input_tokens: 1500,
            output_tokens: 200,
            reasoning_tokens: 40,
            total_tokens: 2740,
          },
          big: { requests: 1, input_tokens: 9000, output_tokens: 1, total_tokens: 9001 },
        },
        svc: {
          costs: {
            small: {
              prompt_token_cost: 0.000002,
              cache_read_token_cost: 0.0000002,
              completion_token_cost: 0.00001,
              prompt_tokens_total_cost: 0.0021,
              completion_tokens_total_cost: 0.0024,
            },
          },
          unpriced_models: ['big'],
        },
      },
    };

    async function panelOf(tab: string): Promise<HTMLElement> {
      show(whole);
      fireEvent.click(await screen.findByRole('tab', { name: tab }));
      const panels = screen.getAllByRole('tabpanel');
      expect(panels.map((panel) => panel.getAttribute('aria-label'))).toEqual([tab]);
      expect(screen.getByRole('tab', { selected: true }).textContent).toBe(tab);
      return panels[0] ?? document.body;
    }

    test('Attributes has what the program said about the call, and no more', async () => {
      const panel = await panelOf('Attributes');
      expect(within(panel).getByRole('tree', { name: 'attributes' }).textContent).toMatch(
        /^\{"kind": "tool",\s*"env": "staging"\s*\}$/,
      );
      expect(panel.textContent).toContain('2 keys');
      expect(panel.textContent).not.toMatch(/why|because|small/);
    });

    test('Usage has tokens of each model by bucket, with the price of a million and what they cost', async () => {
      const panel = await panelOf('Usage');
      const rows = within(panel)
        .getAllByRole('row')
        .map((row) => [...row.children].map(({ textContent }) => textContent));
      expect(rows).toEqual([
        ['Model', 'Tokens', 'Price per million', 'Cost'],
        // The model with most tokens first.
        ['big', '9,001', '', 'no price'],
        ['input', '9,000', '–', '–'],
        ['output', '1', '–', '–'],
        ['small', '2,740', '', '$0.0045'],
        ['input', '1,000', '$2.00', '$0.0020'],
        ['cache read', '1,500', '$0.20', '$0.00030'],
        ['output', '200', '$10.00', '$0.0020'],
        // Of tokens without a price of their own, that of those they are among.
        ['reasoning', '40', '$10.00', '$0.00040'],
      ]);
    });

    test.each([
      ['where there are calls below', 3, true],
      ['of a call without any', 0, false],
      ['of a call of which nobody knows, by its three requests', undefined, true],
    ])('Usage says that calls below are included %s', async (_what, below, isSaid) => {
      const source: CallSource = { ...NO_SOURCE, readCall: async () => JSON.stringify({ call: whole }) };
      render(
        <CallsBelowContext value={below}>
          <Around source={source} tab="usage" />
        </CallsBelowContext>,
      );
      await screen.findByRole('table');
      expect(screen.queryByText('Calls below this one are included.') !== null).toBe(isSaid);
    });

    test('Raw has the whole record as the service keeps it', async () => {
      const panel = await panelOf('Raw');
      fireEvent.click(within(panel).getByRole('button', { name: 'Expand all of call' }));
      const text = within(panel).getByRole('tree', { name: 'call' }).textContent;
      for (const name of Object.keys(whole)) expect(text).toContain(`"${name}": `);
      for (const value of ['"c1"', '"why"', '"because"', '"staging"', '9001', '0.0024', 'null']) {
        expect(text).toContain(value);
      }
    });

    test('Usage is no tab where nothing was used', async () => {
      show(CALL);
      await screen.findByRole('heading', { name: 'plan' });
      expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(
        'In/Out Code Attributes Feedback Raw'.split(' '),
      );
    });
  });

  test('shows as pressed the thumb of who looks at it, not that of others', async () => {
    const given = { id: 'f', created_at: '2026-01-01T00:00:00Z', creator: null, feedback_type: 'svc.reaction.1' };
    const good = { ...given, payload: { emoji: '👍' }, svc_user_id: 'anna' };
    const pressed = async () => (await screen.findByRole('button', { name: 'Good' })).getAttribute('aria-pressed');
    const look = async (userId: string) => {
      show(CALL, { userId, readFeedback: async () => [good] }, { tab: 'feedback' });
      await screen.findByText('Good');
      return await pressed();
    };
    expect(await look('anna')).toBe('true');
    cleanup();
    expect(await look('ben')).toBe('false');
  });

  test('is given one thumb, however quickly it is pressed twice', async () => {
    const given: GivenFeedback[] = [];
    const known = { id: 'f', created_at: '2026-01-01T00:00:00Z', creator: null, svc_user_id: 'anna' };
    show(CALL, {
      userId: 'anna',
      readFeedback: async () => given.map((each) => ({ ...known, ...each })),
      giveFeedback: async (_id, feedback) => void given.push(feedback),
    });
    fireEvent.click(await screen.findByRole('tab', { name: /^Feedback/ }));
    const good = screen.getByRole('button', { name: 'Good' });
    fireEvent.click(good);
    fireEvent.click(good);
    await waitFor(() => expect(good.getAttribute('aria-pressed')).toBe('true'));
    expect(given).toHaveLength(1);
  });

  test('shows the feedback that a program gave while another call was looked at', async () => {
    const note = { id: 'f', created_at: '2026-01-01T00:00:00Z', creator: null, svc_user_id: 'bot' };
    let given: readonly Feedback[] = [];
    const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
    const source: CallSource = {
      ...NO_SOURCE,
      readCall: async (id) => JSON.stringify({ call: { ...CALL, id } }),
      readFeedback: async () => given,
    };
    const page = (id: string) => <Around source={source} client={client} callId={id} tab="feedback" />;
    const { rerender } = render(page('c1'));
    await screen.findByText('No feedback on this call yet.');
    given = [{ ...note, feedback_type: 'svc.note.1', payload: { note: 'well done' } }];
    rerender(page('c2'));
    await screen.findByText('well done');
    given = [{ ...note, feedback_type: 'svc.note.1', payload: { note: 'better' } }];
    rerender(page('c1'));
    expect(await screen.findByText('better')).toBeTruthy();
  });

  test('that failed shows its error first, own frames before those of packages', async () => {
    const stack = 'SMTPError: 550 no\n    at send (/app/src/tools.ts:94:3)\n    at x (/app/node_modules/p/i.js:1:1)';
    show({ ...CALL, exception: stack, output: null });
    const error = await screen.findByRole('region', { name: 'Error' });
    expect(error.textContent).toContain('SMTPError');
    expect(error.textContent).toContain('at send src/tools.ts:94');
    expect(error.textContent).not.toContain('i.js');
    fireEvent.click(within(error).getByText('1 frame in packages'));
    expect(error.textContent).toContain('i.js:1');
    expect(textOf()).toContain('none: the call threw');
  });

  test('that runs says so, and one that never ended, too', async () => {
    show({ ...CALL, ended_at: null, output: null });
    expect((await screen.findAllByText('running')).length).toBe(1);
    expect(textOf()).toMatch(/Started\d+ (?:s|m|h|days) ago/);
    cleanup();
    show({ ...CALL, ended_at: null, output: null }, {}, { state: 'never_ended' });
    expect((await screen.findAllByText('never ended')).length).toBe(1);
    expect(textOf()).toContain('unknown: the call never ended');
  });

  test('that is not there is said to be deleted', async () => {
    show(null);
    expect(await screen.findByText(/it was deleted/)).toBeTruthy();
  });

  test('that cannot be read names the request and is read again', async () => {
    let isBroken = true;
    const readCall = async () => {
      if (isBroken) throw new PageError('It broke', { status: 500, code: 'internal', requestId: 'req-7' });
      return JSON.stringify({ call: CALL });
    };
    show(CALL, { readCall });
    expect(await screen.findByText('req-7')).toBeTruthy();
    isBroken = false;
    fireEvent.click(screen.getByText('Retry'));
    expect(await screen.findByRole('heading', { name: 'plan' })).toBeTruthy();
  });

  test('of which something was cut says what', async () => {
    show({ ...CALL, inputs: { a: 'begin …[cut: 99999 characters]', _cut: '3 more of 203 keys' } });
    await screen.findByRole('tree', { name: 'input' });
    expect(textOf()).toMatch(/cut: the original has 99,999 characters, the first [\d,]+ are kept/);
    expect(textOf()).toContain('3 more of 203 keys, not recorded');
  });

  test('shows the source that ran, by its version', async () => {
    const blob = new Blob(['async function plan() {\n  return 1;\n}']);
    const value = { _type: 'CustomType', svc_type: { type: 'Op' }, files: { 'obj.js': 'digest' } };
    const ref = `svc:///local/app/op/plan:${'a'.repeat(43)}`;
    show(
      { ...CALL, op_name: ref, attributes: { svc: { code_file: 'src/plan.ts', code_line: 21 } } },
      { readObject: async () => ({ value, version: 5, createdAt: undefined }), readFile: async () => blob },
      { tab: 'code' },
    );
    expect(await screen.findByText('v5')).toBeTruthy();
    // That is where it was given to `traced`; its lines, which may stand elsewhere, are counted by themselves.
    expect(textOf()).toContain('traced at src/plan.ts:21');
    expect(screen.getByRole('region', { name: 'Source' }).textContent).toMatch(/^1/);
    expect(textOf()).toContain('return 1;');
  });

  test('that failed in its source shows the lines as the file counts them, and marks the one that threw', async () => {
    const blob = new Blob(['async function plan() {\n  const all = [];\n  throw new Error(all);\n}']);
    const value = { _type: 'CustomType', svc_type: { type: 'Op' }, files: { 'obj.js': 'digest' } };
    show(
      {
        ...CALL,
        op_name: `svc:///local/app/op/plan:${'a'.repeat(43)}`,
        attributes: { svc: { code_file: 'src/plan.ts', code_line: 21 } },
        exception: 'Error: no\n    at plan (/app/src/plan.ts:23:9)',
        output: null,
      },
      { readObject: async () => ({ value, version: 5, createdAt: undefined }), readFile: async () => blob },
      { tab: 'code' },
    );
    const source = await screen.findByRole('region', { name: 'Source' });
    expect(source.textContent).toMatch(/^21async function plan/);
    expect(
      within(source)
        .getByText(/^Failed here/)
        .closest('div')?.textContent,
    ).toBe('23Failed here:   throw new Error(all);');
    expect(screen.getByText('src/plan.ts:21')).toBeTruthy();
  });

  test('opens its lines in the editor, by keys and by a click, and says why not', async () => {
    const opened: object[] = [];
    let refusal: Error | undefined;
    const openFile = async (place: object) => {
      opened.push(place);
      if (refusal !== undefined) throw refusal;
    };
    const exception = 'Error: no\n    at Mailer.send (/app/src/mail.ts:94:3)\n    at run (node:internal/x:1:1)';
    show({ ...CALL, exception, attributes: { svc: { code_file: 'src/plan.ts', code_line: 21 } } }, { openFile });
    const frame = await screen.findByRole('button', { name: 'src/mail.ts:94' });
    fireEvent.click(frame);
    refusal = new PageError('No folder of sourceRoots has it', { status: 404, code: 'not_found' });
    handleKey(new KeyboardEvent('keydown', { key: 'o' }));
    expect(opened).toEqual([
      { file: '/app/src/mail.ts', line: 94 },
      { file: '/app/src/mail.ts', line: 94 },
    ]);
    expect(await screen.findByText('Not opened: No folder of sourceRoots has it')).toBeTruthy();
  });

  test('that did not fail opens where it stands; without an editor it has no such button', async () => {
    const opened: object[] = [];
    const placed = { ...CALL, attributes: { svc: { code_file: 'src/plan.ts', code_line: 21 } } };
    show(placed, { openFile: async (place) => void opened.push(place) });
    await screen.findByRole('heading', { name: 'plan' });
    handleKey(new KeyboardEvent('keydown', { key: 'o' }));
    fireEvent.click(screen.getByRole('button', { name: 'Open in editor' }));
    expect(opened).toEqual([
      { file: 'src/plan.ts', line: 21 },
      { file: 'src/plan.ts', line: 21 },
    ]);
    cleanup();
    show({ ...placed, exception: 'Error: no\n    at send (/app/src/mail.ts:94:3)' });
    await screen.findByText('src/mail.ts:94');
    expect(screen.queryByRole('button', { name: 'src/mail.ts:94' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Open in editor' })).toBeNull();
  });

  test('takes a thumb, a note and a score', async () => {
    const { given } = show(CALL, {}, { tab: 'feedback' });
    fireEvent.click(await screen.findByRole('button', { name: 'Good' }));
    expect(screen.queryByRole('textbox')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: /^Note/ }));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Note' }));
    fireEvent.change(screen.getByRole('textbox', { name: 'Note' }), { target: { value: 'Keep it' } });
    fireEvent.click(screen.getByText('Save note'));
    await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'Score' }));
    fireEvent.change(screen.getByRole('textbox', { name: 'Score' }), { target: { value: '0.8' } });
    fireEvent.click(screen.getByText('Save score'));
    expect(given).toEqual([
      { feedback_type: 'svc.reaction.1', payload: { emoji: '👍' } },
      { feedback_type: 'svc.note.1', payload: { note: 'Keep it' } },
      { feedback_type: 'score', payload: { value: 0.8 } },
    ]);
  });

  test.each([
    ['note', 'Note', 'Keep it'],
    ['score', 'Score', '0.8'],
  ])('keeps a %s that could not be saved, to be sent again', async (what, field, text) => {
    let isRefused = true;
    const given: GivenFeedback[] = [];
    const giveFeedback = async (_id: string, feedback: GivenFeedback): Promise<void> => {
      if (isRefused) throw new Error('no room');
      given.push(feedback);
    };
    show(CALL, { giveFeedback }, { tab: 'feedback' });
    fireEvent.click(await screen.findByRole('button', { name: new RegExp(`^${field}`) }));
    const typed = screen.getByLabelText<HTMLInputElement>(field);
    fireEvent.change(typed, { target: { value: text } });
    fireEvent.click(screen.getByText(`Save ${what}`));
    await screen.findByText('Feedback on “plan” could not be saved: no room');
    expect(screen.getByLabelText<HTMLInputElement>(field).value).toBe(text);
    isRefused = false;
    fireEvent.click(screen.getByText(`Save ${what}`));
    await waitFor(() => expect(screen.queryByText(`Save ${what}`)).toBeNull());
    expect(given).toHaveLength(1);
  });
});

describe('hostile content', () => {
  const everywhere = {
    ...CHAT,
    op_name: HOSTILE,
    display_name: HOSTILE,
    exception: `${HOSTILE}\n    at ${HOSTILE} (/app/${HOSTILE}.ts:1:1)`,
    attributes: { kind: 'llm', [HOSTILE]: HOSTILE },
    inputs: {
      [HOSTILE]: HOSTILE,
      model: HOSTILE,
      tools: [{ name: HOSTILE, description: HOSTILE }],
      messages: [
        { role: HOSTILE, name: HOSTILE, content: HOSTILE },
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'javascript:hurt()' } }] },
        { role: 'assistant', tool_calls: [{ id: 'x', function: { name: HOSTILE, arguments: HOSTILE } }] },
        { role: 'tool', tool_call_id: 'x', content: HOSTILE },
        { role: 'assistant', content: [{ type: 'thinking', thinking: HOSTILE }, { [HOSTILE]: HOSTILE }] },
      ],
    },
    output: { choices: [{ message: { content: HOSTILE, refusal: HOSTILE }, finish_reason: HOSTILE }] },
    summary: { usage: { [HOSTILE]: { requests: 1, input_tokens: 1 } } },
  };

  test.each(['io', 'chat', 'code', 'attributes', 'usage', 'feedback', 'raw'])(
    'is a text in the tab "%s"',
    async (tab) => {
      const payload = { note: HOSTILE };
      const note = { id: 'f', feedback_type: 'svc.note.1', payload, created_at: CALL.started_at, creator: HOSTILE };
      show(everywhere, { readFeedback: async () => [{ ...note, svc_user_id: null }] }, { tab });
      await screen.findAllByText(/onerror/);
      for (const button of screen.queryAllByRole('button', { expanded: false })) fireEvent.click(button);
      await new Promise((resolve) => setTimeout(resolve));
      expect(document.querySelectorAll('script, img, iframe, [onerror]').length).toBe(0);
      expect(
        [...document.querySelectorAll('a')].map((link) => link.href).filter((href) => /^javascript/i.test(href)),
      ).toEqual([]);
      expect(textOf()).not.toContain('\u202e');
      expect('hurt' in globalThis).toBe(false);
    },
  );

  test('of 20 MB is its size and its beginning, and can be had', async () => {
    show({ ...CALL, output: { long: 'x y '.repeat(5_000_000) } });
    await screen.findByRole('tree', { name: 'output' });
    expect(textOf()).toContain('text, 20.0 MB');
    expect(textOf()?.length).toBeLessThan(10_000);
    fireEvent.click(screen.getByText('first 2.0 kB'));
    expect(textOf()).toContain('of 20,000,000 shown');
  });

  test('that is a file, as a whole, is shown as one, and can be had', async () => {
    const files = { 'obj.txt': 'digest' };
    const file = { name: 'transcript.txt', media_type: 'text/plain', size: 20_971_520, preview: 'The kettle was' };
    show({ ...CALL, output: { _type: 'CustomType', files, ...file } });
    await screen.findByRole('button', { name: 'download' });
    expect(textOf()).toContain('transcript.txt · text/plain, 21.0 MB');
    expect(textOf()).toContain('The kettle was');
    expect(textOf()).not.toContain('CustomType');
    expect(screen.queryByRole('button', { name: 'Search in output' })).toBeNull();
  });

  test('of an image is shown as one, and of what may hold programs is not', async () => {
    const bytes = 'A'.repeat(8000);
    const output = { photo: `data:image/png;base64,${bytes}`, drawing: `data:image/svg+xml;base64,${bytes}` };
    show({ ...CALL, output });
    await screen.findByRole('tree', { name: 'output' });
    const shown = Array.from(document.querySelectorAll('img'), ({ src }) => src);
    expect(shown).toEqual([output.photo]);
    expect(textOf()).toContain('image/svg+xml, base64, 8.0 kB');
  });
});

test('a file asks no call for its end, and counts to when it was written', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let reads = 0;
  const source: CallSource = {
    projectId: 'local/app',
    hrefOfRef: () => undefined,
    readCall: async () => {
      reads += 1;
      return JSON.stringify({ call: { ...CALL, ended_at: null } });
    },
    readFile: async () => undefined,
    readObject: async () => undefined,
    readFeedback: async () => [],
  };
  render(
    <AsOfContext value={Date.parse('2026-01-01T00:01:30Z')}>
      <Around source={source} />
    </AsOfContext>,
  );
  await screen.findByRole('heading', { name: 'plan' });
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(reads).toBe(1);
  expect(textOf()).toContain('1 m 30 s');
});

test('on a page that is paused a call that runs is not read again, and its times stand still, until it goes on', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let reads = 0;
  const source: CallSource = {
    ...NO_SOURCE,
    readCall: async () => {
      reads += 1;
      return JSON.stringify({ call: { ...CALL, ended_at: null } });
    },
  };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const page = (isPaused: boolean) => (
    <PausedContext value={isPaused}>
      <Around source={source} client={client} />
    </PausedContext>
  );
  const { rerender } = render(page(true));
  await screen.findByRole('heading', { name: 'plan' });
  const facts = () => screen.getByText('Started').closest('dl')?.textContent;
  const before = facts();
  await act(() => vi.advanceTimersByTimeAsync(3 * 86_400_000));
  expect([reads, facts()]).toEqual([1, before]);
  rerender(page(false));
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(reads).toBeGreaterThan(1);
  expect(facts()).not.toBe(before);
});

test('+, - and c say something about a call from every tab', async () => {
  addEventListener('keydown', handleKey);
  const { given } = show(CALL, {}, { tab: undefined });
  await screen.findByRole('heading', { name: 'plan' });
  expect(screen.queryByRole('button', { name: 'Good' })).toBeNull();
  fireEvent.keyDown(document.body, { key: '+' });
  expect(given).toEqual([{ feedback_type: 'svc.reaction.1', payload: { emoji: '👍' } }]);
  fireEvent.keyDown(document.body, { key: 'c' });
  expect(document.activeElement).toBe(await screen.findByRole('textbox', { name: 'Note' }));
  removeEventListener('keydown', handleKey);
});
