import type { ServedName } from '../../protocol/endpoints.ts';
import type { Sender } from '../../protocol/sender.ts';
import { isJsonObject } from '../../protocol/values/json-object.ts';
import type { TakenSpans } from '../ingest/otlp/export-traces.ts';

/** The calls that a request has brought. */
export interface Received {
  readonly projects: readonly string[];
  /** Undefined where they tell nothing, or nobody has counted them. */
  readonly counts: { readonly starts: number; readonly ends: number } | undefined;
  /** Where the body says it; the header of the request counts before it. */
  readonly sender?: Sender | undefined;
}

/** The endpoints by which programs record, and what one item of each is. */
export const RECORDING = {
  callStart: 'start',
  callEnd: 'end',
  projectCallStart: 'start',
  projectCallEnd: 'end',
  callUpsertBatch: 'batch',
  callsComplete: 'complete',
} as const satisfies Partial<Record<ServedName, string>>;

/** The calls that a checked body brings; undefined where it records nothing. */
export function receivedIn(name: ServedName, body: unknown): Received | undefined {
  const kind = Object.hasOwn(RECORDING, name) ? RECORDING[name as keyof typeof RECORDING] : undefined;
  if (kind === undefined || !isJsonObject(body)) return undefined;
  if (kind === 'start') return of([body['start']], 1, 0);
  if (kind === 'end') return of([body['end']], 0, 1);
  const batch = Array.isArray(body['batch']) ? body['batch'] : [];
  if (kind === 'complete') return of(batch, batch.length, batch.length);
  const starts = batch.filter((item) => isJsonObject(item) && item['mode'] === 'start').length;
  return of(batch.map(recordOf), starts, batch.length - starts);
}

/** Each half of a batch stands in the request it would be alone. */
function recordOf(item: unknown): unknown {
  const request = isJsonObject(item) ? item['req'] : undefined;
  return isJsonObject(request) ? (request['start'] ?? request['end']) : undefined;
}

function of(records: readonly unknown[], starts: number, ends: number): Received {
  const projects = new Set<string>();
  for (const record of records) {
    const project = isJsonObject(record) ? record['project_id'] : undefined;
    if (typeof project === 'string') projects.add(project);
  }
  return { projects: [...projects], counts: { starts, ends } };
}

/** Calls of an export of spans. A span without an end comes again when it has one, and would be two starts. */
export function receivedSpans({ projects, starts, ends, sender }: TakenSpans): Received {
  return { projects, counts: starts === ends ? { starts, ends } : undefined, sender };
}
