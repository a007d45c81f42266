import { readExport } from '../../test/load/calls.ts';
import { sampleWhile } from '../../test/load/process-memory.ts';
import type { ServiceProcess } from '../../test/flow/service-process.ts';
import type { Sample } from '../rounds.ts';
import { PROJECT } from './load.ts';

/** All calls as one stream, and the memory that the service has of its own meanwhile. */
export async function measureExport(service: ServiceProcess, calls: number): Promise<Sample> {
  const startedAt = performance.now();
  const { result, samples, max } = await sampleWhile(
    service.child.pid ?? 0,
    readExport(service, { isPacked: false, project: PROJECT }),
  );
  if (result.lines !== calls) throw new Error(`The export has ${result.lines} of ${calls} calls`);
  const [before = Number.NaN] = samples;
  return {
    callsPerSec: (calls * 1000) / (performance.now() - startedAt),
    growthMb: ((max - before) * 2 ** 20) / 1e6,
    peakMb: (max * 2 ** 20) / 1e6,
  };
}
