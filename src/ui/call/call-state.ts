import { isObject } from '../../protocol/values/parsed-object.ts';
import type { CallState } from '../controls/signs/status-sign.tsx';
import type { CallRecord } from './call-record.ts';

/** How a call is. That one never ended is known to lists and skeletons only: it takes the news of its client. */
export function stateOf(record: CallRecord, known: CallState | undefined): CallState {
  if (record.exception !== undefined) return 'error';
  if (record.endedAt === undefined) return known === 'never_ended' ? 'never_ended' : 'running';
  const counts = record.summary['status_counts'];
  const errors = isObject(counts) ? counts['error'] : undefined;
  return typeof errors === 'number' && errors > 0 ? 'descendant_error' : 'success';
}
