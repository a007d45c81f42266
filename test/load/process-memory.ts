import { readFileSync } from 'node:fs';

/** Resident memory of a process in MiB, as the kernel counts it. */
export function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

export interface MemorySamples {
  /** In the order they were taken, in MiB. */
  readonly samples: readonly number[];
  readonly max: number;
}

/** Takes the memory of a process again and again while work is done. */
export async function sampleWhile<T>(pid: number, work: Promise<T>): Promise<MemorySamples & { readonly result: T }> {
  const samples = [residentMiB(pid)];
  const timer = setInterval(() => samples.push(residentMiB(pid)), 100);
  try {
    const result = await work;
    samples.push(residentMiB(pid));
    return { result, samples, max: Math.max(...samples) };
  } finally {
    clearInterval(timer);
  }
}
