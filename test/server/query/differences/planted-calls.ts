import { formatObjectRef } from '../../../../src/protocol/ref.ts';
import type { CallFact } from '../../../../src/storage/contract/calls.ts';
import { endFact, NEW_YEAR, PROJECT, startFact } from '../../../../src/testing/storage/facts.ts';
import { type Random, seededRandom } from '../../../storage/differential/random.ts';

/** A call as it is made up, before it becomes one of the wire. */
export interface MadeCall {
  readonly trace: TraceFacts;
  readonly op: string;
  readonly version: number;
  readonly model: string | undefined;
  readonly provider: string;
  readonly temperature: number;
  readonly isCached: boolean;
  readonly topK: number;
  readonly hasFilters: boolean;
  readonly messages: number;
  readonly tokens: number;
}

/** What all calls of a trace share. */
interface TraceFacts {
  readonly user: string;
  readonly region: string;
  readonly tenant: string;
  readonly thread: string | null;
}

/** What makes calls fail, or slow, and what has to be told of it. */
export interface Planted {
  readonly name: string;
  readonly isSo: (call: MadeCall) => boolean;
  /** `field` and `value` of the difference that has to stand on top; a value may be anything near an edge. */
  readonly field: string;
  readonly value?: string;
}

export const PLANTED: readonly Planted[] = [
  { name: 'a version of an op', isSo: isOfVersion('search', 2), field: 'version', value: versionOf('search', 2) },
  { name: 'an op', isSo: ({ op }) => op === 'rerank', field: 'op', value: 'rerank' },
  { name: 'a model', isSo: ({ model }) => model === 'gpt-b', field: 'model', value: 'gpt-b' },
  {
    name: 'a provider',
    isSo: ({ model, provider }) => model !== undefined && provider === 'azure',
    field: 'attr.provider',
    value: 'azure',
  },
  { name: 'a user', isSo: ({ trace }) => trace.user === 'user-7', field: 'user', value: 'user-7' },
  { name: 'an attribute of traces', isSo: ({ trace }) => trace.region === 'eu-3', field: 'attr.region', value: 'eu-3' },
  {
    name: 'one of many values',
    isSo: ({ trace }) => trace.tenant === 'tenant-11',
    field: 'attr.deployment.tenant',
    value: 'tenant-11',
  },
  { name: 'a flag', isSo: ({ isCached }) => isCached, field: 'attr.cached', value: 'true' },
  { name: 'a setting', isSo: ({ temperature }) => temperature === 0.9, field: 'input.options.temperature' },
  { name: 'a number from some edge on', isSo: ({ topK }) => topK >= 40, field: 'input.topK' },
  { name: 'an input that only some have', isSo: ({ hasFilters }) => hasFilters, field: 'input.filters' },
  { name: 'a long list', isSo: ({ messages }) => messages >= 20, field: 'input.messages' },
  { name: 'many tokens', isSo: ({ model, tokens }) => model !== undefined && tokens > 6000, field: 'tokens.in' },
  { name: 'a thread', isSo: ({ trace }) => trace.thread !== null, field: 'thread' },
];

const OPS = ['answer', 'search', 'rerank', 'chat', 'summarise', 'send'] as const;
const ASKS_MODEL: readonly string[] = ['chat', 'summarise'];

export interface MadeCalls {
  readonly facts: readonly CallFact[];
  readonly count: number;
}

/**
 * Calls that fail by chance, and far more often where something planted is true of them. Everything else of them is as chance
 * has it, alike within a trace.
 */
export function madeCalls(seed: number, count: number, isPlanted: (call: MadeCall) => boolean): MadeCalls {
  const random = seededRandom(seed);
  const facts: CallFact[] = [];
  let index = 0;
  for (let trace = 0; index < count; trace++) {
    const shared = traceFacts(random);
    for (let left = 1 + random.below(8); left > 0 && index < count; left--, index++) {
      const call = madeCall(random, shared);
      const hasFailed = random.chance(isPlanted(call) ? 0.5 : 0.02);
      facts.push(...factsOf(call, { index, trace, hasFailed, random }));
    }
  }
  return { facts, count };
}

/** The same, of whose traces as a whole some have failed, by nothing that can be told. */
export function noisyTraces(seed: number, count: number): MadeCalls {
  const chosen = seededRandom(seed + 1000);
  const fates = new Map<TraceFacts, boolean>();
  return madeCalls(seed, count, ({ trace }) => {
    const fate = fates.get(trace) ?? chosen.chance(0.1);
    fates.set(trace, fate);
    return fate;
  });
}

function traceFacts(random: Random): TraceFacts {
  return {
    user: `user-${random.below(30)}`,
    region: `eu-${random.below(5)}`,
    tenant: `tenant-${random.below(40)}`,
    thread: random.chance(0.3) ? `chat-${random.below(1000)}` : null,
  };
}

function madeCall(random: Random, trace: TraceFacts): MadeCall {
  const op = random.pick(OPS);
  return {
    trace,
    op,
    version: 1 + random.below(3),
    model: ASKS_MODEL.includes(op) ? random.pick(['gpt-a', 'gpt-b', 'gpt-c', 'local']) : undefined,
    provider: random.pick(['openai', 'azure', 'own']),
    temperature: random.pick([0, 0.2, 0.9]),
    isCached: random.chance(0.2),
    topK: random.below(50),
    hasFilters: random.chance(0.15),
    messages: 1 + random.below(24),
    tokens: random.below(8000),
  };
}

interface Placed {
  readonly index: number;
  readonly trace: number;
  readonly hasFailed: boolean;
  readonly random: Random;
}

function factsOf(call: MadeCall, { index, trace, hasFailed, random }: Placed): CallFact[] {
  const id = `call-${String(index).padStart(6, '0')}`;
  const started_at = NEW_YEAR + index * 1000;
  const { user, region, tenant, thread } = call.trace;
  const attributes = {
    user,
    region,
    deployment: { tenant },
    cached: call.isCached,
    request: `request-${index}`,
    ...(call.model !== undefined && { kind: 'llm', provider: call.provider }),
  };
  const inputs = {
    question: `${'why '.repeat(random.below(20))}${index}?`,
    topK: call.topK,
    options: { temperature: call.temperature },
    messages: Array.from({ length: call.messages }, () => ({ role: 'user', content: 'hello' })),
    ...(call.hasFilters && { filters: { year: 2020 + random.below(6) } }),
  };
  const usage =
    call.model === undefined
      ? {}
      : { usage: { [call.model]: { input_tokens: call.tokens, output_tokens: random.below(500) } } };
  return [
    startFact(id, {
      op_name: versionOf(call.op, call.version),
      trace_id: `trace-${trace}`,
      thread_id: thread,
      parent_id: random.chance(0.6) ? `parent-${trace}` : null,
      started_at,
      attributes: JSON.stringify(attributes),
      inputs: JSON.stringify(inputs),
    }),
    endFact(id, {
      ended_at: started_at + 1000 * (10 + random.below(2000)),
      exception: hasFailed ? random.pick(['TypeError: no', 'TimeoutError: late']) : null,
      summary: JSON.stringify(usage),
    }),
  ];
}

function isOfVersion(op: string, version: number): Planted['isSo'] {
  return (call) => call.op === op && call.version === version;
}

function versionOf(op: string, version: number): string {
  return formatObjectRef(PROJECT, 'op', op, String(version).repeat(64));
}
