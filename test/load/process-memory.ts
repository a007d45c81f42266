import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Memory of a process that is its own, in MiB. Pages of mapped files are left out: the system takes them back whenever
 * it needs them, and how many there are depends on what else it does.
 */
export function privateMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Forgets how much memory the process ever took; Linux only. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The most memory of its own that a process took since its peak was forgotten, in MiB, as the system counted it. */
export function peakMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
  return (kib('VmHWM') - kib('RssFile') - kib('RssShmem')) / 1024;
}

export interface MemorySamples {
  /** In the order they were taken, in MiB. */
  readonly samples: readonly number[];
  readonly max: number;
}

/** Takes the memory of a process again and again while work is done. */
export async function sampleWhile<T>(pid: number, work: Promise<T>): Promise<MemorySamples & { readonly result: T }> {
  const samples = [privateMiB(pid)];
  const timer = setInterval(() => samples.push(privateMiB(pid)), 100);
  try {
    const result = await work;
    samples.push(privateMiB(pid));
    return { result, samples, max: Math.max(...samples) };
  } finally {
    clearInterval(timer);
  }
}
