import { readFileSync, readlinkSync } from 'node:fs';

/** Start time of a process in clock ticks since boot, where the system has `/proc`. A later process may have its number. */
export function startTicks(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command name, field 2, is in parentheses and may contain anything; the start time is field 22.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return undefined;
  }
}

/**
 * Where the number of this process counts: on Linux the namespace of processes, of which each container has its own, else 0,
 * as there is one only. `undefined` where that cannot be seen.
 */
export function pidNamespace(): number | undefined {
  if (process.platform !== 'linux') return 0;
  try {
    const [, inode] = /^pid:\[(\d+)\]$/.exec(readlinkSync('/proc/self/ns/pid')) ?? [];
    return inode === undefined ? undefined : Number(inode);
  } catch {
    return undefined;
  }
}

/** The start of the machine that this is, where the system names it: times in ticks are counted from there. */
export function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return undefined;
  }
}
