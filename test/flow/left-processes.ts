import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

/** Processes of a test that failed would take the time of all that come later. */
export function endWithFile<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Ends those that nobody has ended. */
export function endLeftProcesses(): void {
  for (const child of running) child.kill('SIGKILL');
}
