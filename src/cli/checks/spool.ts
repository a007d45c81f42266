import { listSegments } from '../../spool/left-overs.ts';
import { formatBytes } from '../output/numbers.ts';
import type { Finding } from './finding.ts';

/** What waits on disk for a service, and whether somebody will take it. */
export function checkSpool(home: string, isServiceUp: boolean): Finding {
  const about = 'waiting records';
  const waiting = listSegments(home).filter((segment) => segment.isLeftOver);
  if (waiting.length === 0) return { level: 'ok', about, message: 'none' };
  const bytes = waiting.reduce((sum, segment) => sum + segment.bytes, 0);
  const segments = waiting.length === 1 ? '1 segment' : `${waiting.length} segments`;
  const message = `${segments}, ${formatBytes(bytes)} in ${home}`;
  const advice = isServiceUp
    ? 'Restart the service, or run a program that records to the same address: it takes them in'
    : 'Start the service: it takes them in';
  return { level: 'warning', about, message, advice };
}
