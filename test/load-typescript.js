// Preloaded into the test processes and, through the inherited `execArgv`, into the threads they start:
// `--import tsx` alone serves the main thread only. A thread that is JavaScript starts faster without.
import { isMainThread } from 'node:worker_threads';

if (isMainThread || process.argv[1]?.endsWith('.ts') === true) {
  const { register } = await import('tsx/esm/api');
  register();
}
