import type { CallStatus } from '../../protocol/call.ts';
import { colors } from './colors.ts';

const MARKS: Readonly<Record<CallStatus, string>> = { success: '✓', error: '✗', descendant_error: '!', running: '…' };

export function markOf(status: CallStatus): string {
  return paintStatus(status, MARKS[status]);
}

export function paintStatus(status: CallStatus, text: string): string {
  switch (status) {
    case 'success':
      return colors.green(text);
    case 'error':
      return colors.red(text);
    case 'descendant_error':
      return colors.yellow(text);
    case 'running':
      return colors.cyan(text);
  }
}
