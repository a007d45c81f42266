import { createReader } from 'spoor/reader';
import { post, type ServiceProcess } from '../flow/service-process.ts';
import { PROJECT } from './calls.ts';

type Target = Pick<ServiceProcess, 'url' | 'apiKey'>;

const CALLS_PER_REQUEST = 20;

/**
 * Writes calls as clients do that are in trouble: starts and ends in requests of their own, ends first in every other
 * one, and every fifth request is sent twice at once.
 */
export async function writeInParallel(
  target: Target,
  { writers, calls }: { readonly writers: number; readonly calls: number },
): Promise<{ requests: number }> {
  let requests = 0;
  const send = async (batch: readonly unknown[]) => {
    const times = requests % 5 === 0 ? 2 : 1;
    requests += times;
    const answers = await Promise.all(
      Array.from({ length: times }, () => post(target, '/call/upsert_batch', { batch })),
    );
    for (const answer of answers) {
      if (answer.status !== 200) throw new Error(`The service refused a batch: ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  const write = async (writer: number) => {
    for (let from = 0; from < calls; from += CALLS_PER_REQUEST) {
      const count = Math.min(CALLS_PER_REQUEST, calls - from);
      const ids = Array.from({ length: count }, (_, index) => `w${writer}-${from + index}`);
      const halves = [ids.map(startOf), ids.map(endOf)];
      for (const half of (from / CALLS_PER_REQUEST) % 2 === 0 ? halves : halves.toReversed()) await send(half);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return { requests };
}

function startOf(id: string): unknown {
  const start = { project_id: PROJECT, id, op_name: 'write', started_at: '2026-01-01T00:00:00Z', inputs: { id } };
  return { mode: 'start', req: { start } };
}

function endOf(id: string): unknown {
  return { mode: 'end', req: { end: { project_id: PROJECT, id, ended_at: '2026-01-01T00:00:01Z', output: id } } };
}

/** What the service gives back of it: a complete call has both halves, and each is its own. */
export async function countWritten({ url, apiKey }: Target) {
  const reader = createReader({ url, apiKey, project: PROJECT });
  const ids = new Set<string>();
  let lines = 0;
  let complete = 0;
  for await (const { id, inputs, output, ended_at: endedAt } of reader.calls.query()) {
    lines += 1;
    ids.add(id);
    if (inputs['id'] === id && output === id && endedAt !== null) complete += 1;
  }
  const { count: counted } = await reader.calls.stats();
  return { lines, complete, distinct: ids.size, counted };
}
