import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Call } from '../../protocol/call.ts';
import { opNameOf } from '../../protocol/ref.ts';
import { createReader, field } from '../../reader/reader.ts';
import { createServer } from '../../server/create-server.ts';
import type { RecordedCall, RecordingTarget, TransparencySubject } from './subject.ts';

/** Reads back what the wrapper under test has recorded. */
export interface Recorder {
  readonly target: RecordingTarget | undefined;
  calls(prefix: string): Promise<readonly RecordedCall[]>;
  close(): Promise<void>;
}

const PROJECT = 'local/transparency';

/** Begins recording: to a service inside this process, unless the subject has its own way to read calls. */
export async function openRecorder(subject: TransparencySubject): Promise<Recorder> {
  const { calls } = subject;
  if (calls !== undefined && subject.start === undefined) {
    return { target: undefined, calls: async (prefix) => await calls(prefix), close: async () => undefined };
  }
  const home = await mkdtemp(join(tmpdir(), 'spoor-transparency-'));
  const server = await createServer({ storage: 'memory', port: 0, logLevel: 'error' });
  const target = { url: server.url, apiKey: server.apiKey, project: PROJECT, home };
  await begin(subject, target);
  return {
    target,
    calls: async (prefix) => await (calls?.(prefix) ?? readBack(subject, target, prefix)),
    async close() {
      await subject.stop?.();
      await server.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function begin(subject: TransparencySubject, target: RecordingTarget): Promise<void> {
  const { url, apiKey, project, home } = target;
  const variables = { SPOOR_URL: url, SPOOR_API_KEY: apiKey, SPOOR_PROJECT: project, SPOOR_HOME: home };
  // Also where the subject begins by itself: what is called while recording is stopped may begin it anew.
  Object.assign(process.env, variables);
  await subject.start?.(target);
}

async function readBack(
  subject: TransparencySubject,
  { url, apiKey, project }: RecordingTarget,
  prefix: string,
): Promise<RecordedCall[]> {
  await subject.flush?.();
  const reader = createReader({ url, apiKey, project });
  const calls: RecordedCall[] = [];
  for await (const call of reader.calls.query({ query: field('op_name').contains(prefix) }))
    calls.push(toRecorded(call));
  return calls;
}

function toRecorded(call: Call): RecordedCall {
  return {
    id: call.id,
    op: opNameOf(call.op_name),
    inputs: call.inputs,
    output: call.output,
    error: call.exception ?? undefined,
    parent: call.parent_id ?? undefined,
    ended: call.ended_at !== null,
    trace: call.trace_id,
    thread: call.thread_id ?? undefined,
    attributes: call.attributes,
    summary: call.summary ?? {},
  };
}
