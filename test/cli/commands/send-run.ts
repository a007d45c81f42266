import { expect } from 'vitest';
import { formatRun, type ProcessRun, RUN_HEADER } from '../../../src/protocol/process-run.ts';
import type { NewBatchItem } from '../../../src/reader/reader.ts';
import type { ServiceProcess } from '../../flow/service-process.ts';

interface RunCalls {
  readonly items: readonly NewBatchItem[];
  readonly project: string;
}

/** Sends calls as the program of a run does. */
export async function sendRun(
  { url, apiKey }: ServiceProcess,
  run: ProcessRun,
  { items, project }: RunCalls,
): Promise<void> {
  const batch = JSON.parse(JSON.stringify(items)) as { req: Record<string, object> }[];
  for (const { req } of batch) for (const record of Object.values(req)) Object.assign(record, { project_id: project });
  for (const { req } of batch) if (req['start']) req['start'] = { attributes: {}, inputs: {}, ...req['start'] };
  for (const { req } of batch) if (req['end']) req['end'] = { output: null, summary: {}, ...req['end'] };
  const answer = await fetch(`${url}/call/upsert_batch`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      [RUN_HEADER]: formatRun(run),
    },
    body: JSON.stringify({ batch }),
  });
  expect({ status: answer.status, text: answer.status === 200 ? '' : await answer.text() }).toEqual({
    status: 200,
    text: '',
  });
}
