import type { Reader } from '../../src/reader/reader.ts';
import { post, type ServiceProcess } from '../flow/service-process.ts';

export const PROJECT = 'acme/a-project-with-a-name-that-is-longer-than-a-narrow-terminal-is-wide';
const LONG = 'words that go on and on '.repeat(12).trim();
const NAMES = [
  'answer',
  'search_the_documents_of_the_whole_company_with_a_very_long_name_that_nobody_cuts',
  '社内のすべての文書を検索してから回答を作成して確認する',
  'Bücher.findeAlleBücherDerStadtbibliothekMünchenUndIhrerZweigstellen',
];
const TRACES = 24;
/** Deeper than a narrow terminal can indent. */
const DEEP = 40;

/** Of all that commands print, texts that no terminal is wide enough for. */
export async function fillTerminalProject(reader: Reader, service: ServiceProcess): Promise<void> {
  for (let trace = 0; trace < TRACES; trace += 1) await reader.calls.write(traceItems(trace));
  for (let index = 0; index < 3; index += 1) {
    await reader.objects.create({ object_id: `prompt-${'of-a-long-name-'.repeat(5)}`, val: { index, text: LONG } });
    await reader.feedback.create({
      svc_ref: `svc:///${PROJECT}/call/${idOf(index, 0)}`,
      feedback_type: 'svc.note.1',
      payload: { note: LONG },
      creator: LONG.slice(0, 60),
    });
  }
  const file = await reader.files.create({ name: 'obj.ts', bytes: `return "${LONG}";` });
  await reader.objects.create({
    object_id: 'op',
    val: { _type: 'CustomType', svc_type: { type: 'Op' }, files: { 'obj.ts': file } },
  });
  await reader.page.views.save({ name: LONG.slice(0, 100), query: '' });
  // What is refused stands in the list of clients.
  await post(service, '/call/upsert_batch', { batch: [{ mode: 'start', req: { start: { id: LONG } } }] });
}

function traceItems(trace: number): Parameters<Reader['calls']['write']>[0] {
  const depth = trace === TRACES - 1 ? DEEP : 4;
  return Array.from({ length: depth }, (_call, level) => callItems(trace, level)).flat();
}

function callItems(trace: number, level: number): Parameters<Reader['calls']['write']>[0] {
  const id = idOf(trace, level);
  const at = (ms: number) => new Date(Date.UTC(2026, 0, 1 + trace) + ms).toISOString();
  const usage = {
    [`a-model-of-a-name-that-is-long-${'and-longer-'.repeat(4)}`]: { requests: 1, input_tokens: 123456 },
  };
  const start = {
    id,
    trace_id: idOf(trace, 0),
    ...(level > 0 && { parent_id: idOf(trace, level - 1) }),
    op_name: NAMES[(trace + level) % NAMES.length] ?? '',
    thread_id: `thread-${'of-somebody-'.repeat(6)}${trace % 3}`,
    started_at: at(level),
    attributes: { tenant: LONG },
    inputs: { question: `refund ${LONG}` },
  };
  // Some never end.
  if (trace % 7 === 5) return [{ mode: 'start', req: { start } }];
  const exception = trace % 4 === 3 ? `MissingCitationError: ${LONG}\n    at answer (app.ts:1)` : null;
  const end = { id, ended_at: at(level + 63_456), exception, output: { text: LONG }, summary: { usage } };
  return [
    { mode: 'start', req: { start } },
    { mode: 'end', req: { end } },
  ];
}

function idOf(trace: number, level: number): string {
  return `0190a000${String(trace).padStart(4, '0')}70008000beadfeed${String(level).padStart(4, '0')}${String(trace).padStart(4, '0')}`;
}
