import { medianOf, type Results, rounded } from './results.ts';

/** What a run comes down to. `undefined` becomes `null` in JSON: it was not measured. */
export function summaryOf(results: Results): Record<string, number | null> {
  const ratio = (workload: string, figure: string, to: string) =>
    quotient(medianOf(results, workload, 'spoor', figure), medianOf(results, workload, to, figure));
  const own = (workload: string, figure: string) => medianOf(results, workload, 'spoor', figure) ?? null;
  return {
    overheadVsFloor: ratio('small-async', 'addedUs', 'upsert-fast'),
    overheadVsOtel: ratio('small-async', 'addedUs', 'otel-json'),
    chatVsFloor: ratio('chat', 'cpuUs', 'upsert'),
    syncVsFloor: ratio('small-sync', 'addedUs', 'upsert-fast'),
    burstLost: mostLost(results, (workload) => workload === 'burst'),
    burstVsFloor: ratio('burst', 'callsPerSec', 'upsert'),
    deliveredPerSec: own('delivered', 'callsPerSec'),
    lost: mostLost(results, (workload) => workload !== 'burst'),
    ingestPerSec: own('ingest', 'callsPerSec'),
    listP95Ms: own('queries', 'listP95Ms'),
    importMs: own('import', 'importMs'),
  };
}

/** Calls that the library or the service lost in the worst round of each workload, together. */
function mostLost({ rows }: Results, isMeant: (workload: string) => boolean): number | null {
  const own = rows.filter(({ adapter, workload }) => adapter === 'spoor' && isMeant(workload));
  const lost = own.flatMap(({ figures }) => figures['lost']?.max ?? []);
  return lost.length === 0 ? null : lost.reduce((sum, each) => sum + each, 0);
}

function quotient(value: number | undefined, by: number | undefined): number | null {
  return value === undefined || by === undefined ? null : rounded(value / by);
}
