import { listSegments, type SegmentInfo } from '../../spool/left-overs.ts';
import { formatBytes } from '../output/numbers.ts';
import type { Finding } from './finding.ts';

/** Records that wait on disk, and what has to happen until they arrive. One finding for each service they are for. */
export function checkSpool(home: string, localUrl: string | undefined): Finding[] {
  const waiting = listSegments(home).filter((segment) => segment.isLeftOver);
  if (waiting.length === 0) return [{ level: 'ok', about: 'waiting records', message: 'none' }];
  const urls = new Set(waiting.map(urlOf));
  return [...urls].map((url) => {
    const segments = waiting.filter((segment) => urlOf(segment) === url);
    return { level: 'warning', about: 'waiting records', ...sentences(segments, url, localUrl) };
  });
}

/** Address a segment is for; `null`: the service of this folder; `undefined`: it cannot be read. */
function urlOf({ target }: SegmentInfo): string | null | undefined {
  return target?.url;
}

function sentences(segments: readonly SegmentInfo[], url: string | null | undefined, localUrl: string | undefined) {
  const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  const what = `${segments.length === 1 ? '1 segment' : `${segments.length} segments`}, ${formatBytes(bytes)}`;
  if (url === undefined) {
    return {
      message: `${what} that cannot be read`,
      advice: 'They are of another version or damaged: remove them, or use that version',
    };
  }
  if (url === null || url === localUrl) {
    const advice =
      localUrl === undefined
        ? 'Start "spoor": it takes them in'
        : 'The service takes them in within seconds; if they stay, its log says why';
    return { message: `${what} for the service of this folder`, advice };
  }
  const advice = `The next program that records there delivers them, or "spoor drain --url ${url}"`;
  return { message: `${what} for ${url}`, advice };
}
