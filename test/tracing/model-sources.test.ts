import { afterEach, beforeEach, expect, test } from 'vitest';
import { current } from '../../src/tracing/propagation/context.ts';
import { writeLateSummaries } from '../../src/tracing/record/late-summary.ts';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { type Recording, startRecording } from './recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

const root = traced((fn: () => void) => fn(), { name: 'root', inputs: false });

/** A request to a model, as a captured library makes it. */
function ask(model: string, attributes: Record<string, unknown> = {}): void {
  traced(() => current().usage(model, { input: 1, output: 1 }), { name: 'ask', kind: 'llm', attributes })();
}

const summaries = () => recording.calls().map(({ end }) => end?.summary);

test('sums of a model say whom its requests went to, all the way up', () => {
  root(() => root(() => ask('m', { provider: 'openai', host: 'api.groq.com' })));
  const [outer, inner, own] = summaries();
  const providers = { m: { provider: 'openai', host: 'api.groq.com' } };
  expect(outer).toMatchObject({ usage: { m: { input_tokens: 1 } }, providers });
  expect(inner).toMatchObject({ providers });
  expect(own).not.toHaveProperty('providers');
});

test('requests for one model to several providers are told as such, those for another model are not', () => {
  root(() => {
    ask('m', { provider: 'openai' });
    root(() => {
      ask('m', { provider: 'azure' });
      ask('m', { provider: 'openai' });
      ask('n', { provider: 'azure' });
    });
  });
  expect(summaries()[0]).toMatchObject({ providers: { m: null, n: { provider: 'azure' } } });
});

test('where a part of the requests says nobody, the sums do not say somebody', () => {
  root(() => {
    ask('m');
    ask('m', { provider: 'openai' });
    ask('n', { provider: 'openai' });
  });
  expect(summaries()[0]).toMatchObject({ providers: { m: null, n: { provider: 'openai' } } });
  root(() => ask('m'));
  expect(summaries().at(-2)).not.toHaveProperty('providers');
});

test('a provider that is named while the call runs, and usage that comes late, are told too', () => {
  let late = () => {};
  root(() =>
    traced(
      () => {
        const call = current();
        call.set({ provider: 'groq' });
        late = () => call.usage('m', { input: 1 });
      },
      { name: 'ask' },
    )(),
  );
  late();
  writeLateSummaries();
  expect(recording.calls()[0]?.end?.summary).toMatchObject({
    usage: { m: {} },
    providers: { m: { provider: 'groq' } },
  });
});
