import { parseJson, stringifyJson } from '../../../src/protocol/values/json.ts';
import type { CallFact } from '../../../src/storage/contract/calls.ts';
import type { StoredFeedback } from '../../../src/storage/contract/feedback.ts';
import { endFact, NEW_YEAR, newFeedback, startFact } from '../../../src/testing/storage/facts.ts';
import type { Random } from './random.ts';

/** JSON texts that engines read differently when they are careless. */
// prettier-ignore
export const NASTY_JSON: readonly string[] = [
  '0', '1', '-1', '2', '10', '1.0', '-0.0', '0.1', '2.5', '-2.5', '1e+16', '1e-05', '1.5e+300',
  '2.2250738585072014e-308', '9007199254740992', '9007199254740993', '9223372036854775807',
  '9223372036854775808', '12345678901234567890123', 'true', 'false', 'null', '""', '" "', '"true"', '"TRUE"',
  '"false"', '"null"', '"1"', '"0"', '"1.0"', '"01"', '" 1"', '"+5"', '".5"', '"5."', '"1e3"', '"1e999"',
  '"0x1"', '"-"', '"9007199254740993"', '"a"', '"b"', '"A"', '"é"', '"É"', '"e\u0301"', '"ß"', '"ſ"', '"K"',
  '"İ"', '"Σς"', '"漢字 かな"', '"\uff5e"', '"😀"', '"\u{10ffff}"', '"a\\u0000b"', '"\\u0000"',
  '"quote\\"back\\\\slash"', '"line\\nbreak"', '"\u007f"', '"foo bar-baz_1"', '"foo"', '"BAR"',
  '"2024-01-01T00:00:00Z"', '"svc:///acme/demo/op/f:v1"', '[]', '{}', '[[]]', '[null]', '[1]', '[1.0]',
  '["x",{"a":1}]', '[[0,[["deep"]]]]', '"[]"', '"{}"', '{"a":1}', '{"a":1.0}', '{"a":null}', '{"a":{"0":"z"}}',
  '{"0":"zero","a":[1,2]}', '{"":{"":1}}', '{"b":1,"a":2}', '{"a":2,"b":1}', '{"k\\n":1}', '{"q\\"q":"v"}',
  '{"\\u0000":"nul"}', '{"😀":1}', '{"01":"padded"}', '{"a":[{"0":[{"a":"x"}]}]}',
];

const NAMES: readonly (string | null)[] = [null, null, '', 'a', 'É', 'foo bar', 'x\0y', '😀', '5', '1.0', 'true'];
const OPS: readonly string[] = ['f', 'g', '5', 'x\0y', 'svc:///acme/demo/op/f:v1', 'svc:///acme/demo/op/F:v2', '😀'];

/** References that calls have in their inputs and outputs. */
export const REFS: readonly string[] = [
  'svc:///acme/demo/object/a:v1',
  'svc:///acme/demo/object/a:v2/key/x',
  'svc:///acme/demo/object/ab:v1',
];

/** Facts about some calls: running, ended, pending, with every column now and then absent. */
export function randomFacts(random: Random): CallFact[] {
  const ids = Array.from({ length: 4 + random.below(14) }, (_, index) => `c${index}`);
  return ids.flatMap((id) => {
    const facts: CallFact[] = [];
    if (random.chance(0.95)) facts.push(randomStart(id, random));
    if (random.chance(0.75)) facts.push(randomEnd(id, random));
    return random.chance(0.2) ? facts.toReversed() : facts;
  });
}

/** Types that feedback has; one of them looks like a path. */
export const FEEDBACK_TYPES: readonly string[] = ['thumbs', 'svc.note.1', 'wandb.note.1', 'odd].[x\0'];

/** Feedback on some of the calls: several of one type, some at one time, some on other things. */
export function randomFeedback(random: Random): StoredFeedback[] {
  return Array.from({ length: random.below(20) }, (_, index) => {
    const ref = random.pick([null, null, 'svc:///acme/demo/op/f:v1', 'svc:///acme/demo/object/x\0:v1']);
    return newFeedback(`f${index}`, {
      svc_ref: `svc:///${random.pick(['acme/demo', 'acme/demo', 'acme/demo', 'acme/other'])}/call/c${random.below(7)}`,
      created_at: NEW_YEAR + random.below(3),
      feedback_type: random.pick(FEEDBACK_TYPES),
      payload: randomObject(random),
      runnable_ref: ref,
      trigger_ref: random.pick([null, ref]),
    });
  });
}

/** JSON texts as text literals of a query, parsed by the service. */
export function randomJson(random: Random): string {
  return random.pick(NASTY_JSON);
}

/** Anything, or the two by which pages count. */
function randomAttributes(random: Random): string {
  if (random.chance(0.5)) return randomObject(random);
  const counted = () => random.pick(['"llm"', '"tool"', '""', ...NASTY_JSON]);
  return stored(`{"kind":${counted()},"user":${counted()}}`);
}

export const RUNS = ['p00000000000000a1', 'p00000000000000b2', 'p00000000000000c3'] as const;

/** Of many calls no run is known. */
function randomRun(random: Random): string | undefined {
  return random.chance(0.4) ? undefined : random.pick(RUNS);
}

function randomStart(id: string, random: Random): CallFact {
  return startFact(id, {
    op_name: random.pick(OPS),
    display_name: random.pick(NAMES),
    parent_id: random.chance(0.5) ? null : `c${random.below(6)}`,
    thread_id: random.pick(NAMES),
    turn_id: random.pick([null, 'c1', '7']),
    svc_run_id: random.pick(NAMES),
    svc_user_id: random.pick(['user-1', 'user-2', '1']),
    svc_run_step: random.pick([null, null, 0, 1, 5, -3, 2 ** 53, 1e18, 1e300]),
    started_at: NEW_YEAR + random.below(4) * 1_234_567,
    attributes: randomAttributes(random),
    otel_dump: random.chance(0.3) ? randomObject(random) : null,
    inputs: randomObject(random),
    input_refs: REFS.filter(() => random.chance(0.3)),
    process_run: randomRun(random),
  });
}

function randomEnd(id: string, random: Random): CallFact {
  return endFact(id, {
    ended_at: NEW_YEAR + random.below(8) * 1_000_001 - 1_000_000,
    exception: random.pick([null, null, 'no', 'Error: x\0y', '5']),
    output: random.pick([null, stored(randomJson(random))]),
    summary: random.pick([
      '{}',
      randomObject(random),
      stored(`{"status_counts":{"error":${randomJson(random)}}}`),
      randomUsage(random),
      stored(`{"stream":{"first_chunk_ms":${randomJson(random)}}}`),
    ]),
    display_name: random.pick([null, null, ...NAMES]),
    output_refs: REFS.filter(() => random.chance(0.3)),
    svc_run_step_end: random.pick([null, 2, 5]),
    process_run: randomRun(random),
  });
}

function randomUsage(random: Random): string {
  const models = ['m', 'é', '0'].filter(() => random.chance(0.5));
  const usage = models.map((model) => `${JSON.stringify(model)}:{"input_tokens":${randomJson(random)}}`);
  return stored(`{"usage":{${usage.join(',')}}}`);
}

/** The names that the paths of random queries know. */
export const KEYS: readonly string[] = [
  'k',
  'a',
  '0',
  '1',
  '01',
  '',
  'q"q',
  'back\\slash',
  'a.b',
  'nul\0',
  'é',
  '😀',
  'line\n',
  'otel_span',
];

function randomObject(random: Random): string {
  const keys = KEYS.filter(() => random.chance(0.45));
  return stored(`{${keys.map((key) => `${JSON.stringify(key)}:${randomJson(random)}`).join(',')}}`);
}

/** As the service stores a text that it has read. */
function stored(json: string): string {
  return stringifyJson(parseJson(json));
}
