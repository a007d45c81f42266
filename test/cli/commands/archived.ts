import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { exactReader } from '../../../src/cli/archive/archive-reader.ts';
import { formatTableRef } from '../../../src/protocol/ref.ts';
import { makeHome, runCli, type ServiceProcess, startServiceProcess } from '../../flow/service-process.ts';
import { recorded } from './recorded-traces.ts';

export const PROJECT = 'acme/old';
const CALLS = 1200;

/** A service with a state folder of its own. */
export interface Place {
  readonly home: string;
  readonly service: ServiceProcess;
}

export async function startPlace(env: NodeJS.ProcessEnv = {}): Promise<Place> {
  const { home, remove } = makeHome();
  const service = await startServiceProcess(home, [], { env });
  onTestFinished(async () => {
    await service.stop();
    remove();
  });
  return { home, service };
}

/** Calls that run, failed, belong to others and have numbers that JavaScript would round; what they name, feedback, a price and a view. */
export async function fill({ service }: Place): Promise<void> {
  const reader = exactReader(service);
  const inProject = { project_id: PROJECT };
  const call = (n: number) => ({
    ...inProject,
    id: `call-${String(n).padStart(5, '0')}`,
    trace_id: `trace-${n % 7}`,
    op_name: 'step',
    inputs: { n, text: `検索 ${n}` },
  });
  const batch = Array.from({ length: CALLS }, (_call, n) => recorded('2026-01-01T00:00:00Z', [n % 40, null], call(n)));
  await reader.calls.write(batch.flat());
  const exact = `{"project_id":"${PROJECT}","id":"exact","trace_id":"exact","op_name":"exact","started_at":"2026-01-02T00:00:00Z","svc_user_id":"ada","attributes":{},"inputs":{"a":1.0,"b":12345678901234567890}}`;
  const ended = `{"project_id":"${PROJECT}","id":"exact","ended_at":"2026-01-02T00:00:01Z","exception":"Error: no","output":1e-7,"svc_run_step_end":0,"summary":{"svc":{"own":1},"x":2.50}}`;
  const file = await reader.files.create({ ...inProject, name: 'obj.ts', bytes: 'function step() {}' });
  const { digest } = await reader.tables.create({
    ...inProject,
    rows: Array.from({ length: 2300 }, (_row, n) => ({ n, media: { _type: 'CustomType', files: { 'a.txt': file } } })),
  });
  const rows = formatTableRef(PROJECT, digest);
  await reader.objects.create({ ...inProject, object_id: 'prompt', val: { text: 'old' } });
  await reader.objects.create({ ...inProject, object_id: 'prompt', val: { text: 'new', rows } });
  await reader.feedback.create({
    ...inProject,
    svc_ref: `svc:///${PROJECT}/call/exact`,
    feedback_type: 'svc.reaction.1',
    payload: { emoji: '👍' },
  });
  const effective_date = '2025-01-01T00:00:00Z';
  const price = { prompt_token_cost: 2e-7, completion_token_cost: 4, reasoning_token_cost: 5, effective_date };
  await reader.costs.create({ ours: price }, inProject);
  await reader.page.views.save({ name: 'slow', query: 'f=latency%3E2s', columns: ['name'] }, inProject);
  const sent = await fetch(`${service.url}/call/upsert_batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    body: `{"batch":[{"mode":"start","req":{"start":${exact}}},{"mode":"end","req":{"end":${ended}}}]}`,
  });
  expect(sent.status).toBe(200);
}

/** Lines of an archive, without what tells when and by whom something was stored or written. */
export function contentOf(file: string): string[] {
  const times = /"(?:created_at|updated_at|written_at|id)":"(?:20\d\d-[^"]*|[0-9a-f-]{36})"/g;
  const ids = /(?<="kind":"(?:price|view)".*"key":")[^"]+|(?<="sha256":")\w+/g;
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll(times, '""').replaceAll(ids, ''));
}

export async function exported({ home }: Place, name: string): Promise<string> {
  const file = join(home, name);
  const { code, stdout } = await runCli(home, 'export', file, '--project', PROJECT);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `${file} holds 1,201 calls, 2 objects, 1 files, 1 feedbacks\n`,
  });
  return file;
}
