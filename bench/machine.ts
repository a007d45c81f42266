import { cpus, platform, release, totalmem } from 'node:os';
import { type Results, rounded } from './results.ts';

/** This machine, with the load that it had when a run began. */
export function machineOf(load: number): Results['machine'] {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release().split('-')[0] ?? ''}`,
    node: process.versions.node,
    load: rounded(load),
  };
}
