import { createReader, type Reader } from 'spoor/reader';
import { formatRun, type ProcessRun, RUN_HEADER } from '../../src/protocol/process-run.ts';
import { formatDateTime } from '../../src/protocol/values/date-time.ts';

const COMMIT = '9f2c3d4e5f60718293a4b5c6d7e8f90123456789';

/** A run with what it begins with. */
const RUNS: readonly (ProcessRun & { readonly op: string; readonly error?: string; readonly tokens?: number })[] = [
  { id: 'p0f3c9a1b2c3d4e5f', op: 'answer_ticket', commit: COMMIT, isDirty: false, host: 'build-7', tokens: 81_200 },
  {
    id: 'p1b20c3d4e5f60718',
    op: 'check_refunds_of_orders_over_the_threshold_with_regional_exceptions',
    commit: COMMIT,
    isDirty: true,
    host: 'worker-17.eu-west.internal.shop.example',
    error: 'SMTPError: 550 mailbox unavailable',
  },
  { id: 'p2c31d4e5f6071829', op: 'nightly_report', commit: COMMIT, pid: 4711, host: 'build-7' },
  { id: 'p3d42e5f60718293a', op: 'summarize' },
];

/** Writes four runs, one of each kind, as their programs would have. */
export async function seedProcesses(
  options: { readonly url: string; readonly apiKey: string; readonly project: string },
  now: number,
): Promise<void> {
  for (const [index, { op, error, tokens, ...run }] of RUNS.entries()) {
    const at = (ms: number) => formatDateTime((now - 600_000 + index * 60_000 + ms) * 1000);
    const id = `${run.id}-call`;
    const usage =
      tokens === undefined ? {} : { 'gpt-5-mini': { requests: 1, input_tokens: tokens, output_tokens: 40 } };
    await readerOf(options, run).calls.write([
      { mode: 'start', req: { start: { id, trace_id: id, op_name: op, started_at: at(0) } } },
      {
        mode: 'end',
        req: { end: { id, ended_at: at(2310), ...(error !== undefined && { exception: error }), summary: { usage } } },
      },
    ]);
  }
}

function readerOf(options: Parameters<typeof createReader>[0], run: ProcessRun): Reader {
  return createReader({
    ...options,
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set(RUN_HEADER, formatRun(run));
      return await fetch(url, { ...init, headers });
    },
  });
}
