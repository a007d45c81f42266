import { formatBytes } from './numbers.ts';

/** Shows at a terminal how far a copy is, on one line of standard error that goes when the copy is done. */
export function showProgress(): {
  readonly onProgress: (done: number, whole: number) => void;
  readonly clear: () => void;
} {
  if (!process.stderr.isTTY) return { onProgress: () => undefined, clear: () => undefined };
  return {
    onProgress: (done, whole) => process.stderr.write(`\r\u001b[K${formatBytes(done)} of about ${formatBytes(whole)}`),
    clear: () => process.stderr.write('\r\u001b[K'),
  };
}
