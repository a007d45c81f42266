import { listDamaged, listSegments, type SegmentInfo } from '../../spool/orphaned-segments.ts';
import { formatBytes } from '../output/numbers.ts';
import type { Finding } from './finding.ts';

/** Records that wait on disk, and what has to happen until they arrive. One finding for each service they are for. */
export function checkSpool(home: string, localUrl: string | undefined): Finding[] {
  const waiting = listSegments(home).filter((segment) => segment.isOrphan);
  if (waiting.length === 0) return [{ level: 'ok', about: 'waiting records', message: 'none' }, ...checkDamaged(home)];
  const urls = new Set(waiting.map(urlOf));
  const findings = [...urls].map((url): Finding => {
    const segments = waiting.filter((segment) => urlOf(segment) === url);
    return { level: 'warning', about: 'waiting records', ...sentences(segments, url, localUrl) };
  });
  return [...findings, ...checkDamaged(home)];
}

/** Files of which not all could be delivered; nothing where there are none. */
function checkDamaged(home: string): Finding[] {
  const files = listDamaged(home);
  if (files.length === 0) return [];
  const bytes = formatBytes(files.reduce((sum, file) => sum + file.bytes, 0));
  const what = files.length === 1 ? '1 file' : `${files.length} files`;
  const message = `${what}, ${bytes}, had records that cannot be read; the others arrived: ${names(files)}`;
  const advice =
    'Look at the disk; remove them when nobody needs them, or leave them: they go when records need the room';
  return [{ level: 'warning', about: 'damaged records', message, advice }];
}

const MAX_NAMES = 3;

function names(files: readonly { readonly path: string }[]): string {
  const rest = files.length > MAX_NAMES ? [`${files.length - MAX_NAMES} more`] : [];
  return [...files.slice(0, MAX_NAMES).map(({ path }) => path), ...rest].join(', ');
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
      message: `${what} that cannot be read: ${names(segments.map(({ name }) => name))}`,
      advice: 'They are of another version or damaged: remove them, or use that version',
    };
  }
  if (url === null || url === localUrl) {
    const advice =
      localUrl === undefined
        ? 'Start "npx spoor": it takes them in'
        : 'The service takes them in within seconds; if they stay, its log says why';
    return { message: `${what} for the service of this folder`, advice };
  }
  const advice = `The next program that records there delivers them, or "spoor drain --url ${url}"`;
  return { message: `${what} for ${url}`, advice };
}
