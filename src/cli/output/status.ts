import type { ShownStatus } from '../shown-status.ts';
import { colors } from './colors.ts';

export const MARKS: Readonly<Record<ShownStatus, string>> = {
  success: '✓',
  error: '✗',
  descendant_error: '!',
  running: '…',
  never_ended: '◐',
};

export function markOf(status: ShownStatus): string {
  return paintStatus(status, MARKS[status]);
}

/** The status as people read it. */
export function wordOf(status: ShownStatus): string {
  return status === 'never_ended' ? 'never ended' : status;
}

export function paintStatus(status: ShownStatus, text: string): string {
  switch (status) {
    case 'success':
      return colors.green(text);
    case 'error':
      return colors.red(text);
    case 'descendant_error':
      return colors.yellow(text);
    case 'running':
      return colors.cyan(text);
    case 'never_ended':
      return colors.dim(colors.yellow(text));
  }
}
