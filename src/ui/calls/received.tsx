import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { paths } from '../address/paths.ts';
import type { Client } from '../data/answers.ts';
import { countOf } from '../format/count.ts';
import { formatTime } from '../format/time.ts';
import { showControls } from '../json/show-controls.ts';

/** The time that is shown; without ends all time is. */
export interface ShownTime {
  readonly started_after?: string | null | undefined;
  readonly started_before?: string | null | undefined;
}

export interface ReceivedProps {
  readonly clients: readonly Client[];
  readonly shown: ShownTime;
}

/**
 * Whether all came that programs sent, as far as the service knows since it was started; of no program it knows nothing. What
 * was refused is said where the time of it is shown: who was refused may never send again.
 */
export function Received({ clients, shown }: ReceivedProps): ReactElement {
  const refused = clients.filter((client) => isRefused(client, shown));
  if (refused.length === 0) return <span>{receivedWords(clients)}</span>;
  const unknown = clients.filter(isUnknown).length;
  return (
    <>
      <Link className="warn" href={paths.settings} title={refused.map(reasonOf).join('\n')}>
        Refused: {countOf(refused.length, 'client')}
      </Link>
      {unknown > 0 && <span>{unknownWords(unknown, clients.length)}</span>}
    </>
  );
}

function receivedWords(clients: readonly Client[]): string {
  const unknown = clients.filter(isUnknown).length;
  return clients.length > 0 && unknown === 0 ? 'All received' : unknownWords(unknown, clients.length);
}

function unknownWords(unknown: number, all: number): string {
  return unknown === all ? 'Received: unknown' : `Received: unknown from ${countOf(unknown, 'client')}`;
}

function isUnknown({ missing }: Client): boolean {
  return missing === null;
}

/** A wrong key or address: such records wait where they are, and come once it is right. */
const WAITING = new Set([401, 403, 404, 408, 425, 429]);

/** Records refused for their content are lost; those refused for another reason came since, unless that was the last word. */
function isRefused({ last_error: error, last_seen_at: seenAt }: Client, shown: ShownTime): boolean {
  if (error === null || !isShown(Date.parse(error.at), shown)) return false;
  const isLastWord = Date.parse(error.at) >= Date.parse(seenAt);
  return isLastWord || !(WAITING.has(error.status) || error.status >= 500);
}

function isShown(at: number, { started_after: after, started_before: before }: ShownTime): boolean {
  return at >= (after == null ? -Infinity : Date.parse(after)) && at < (before == null ? Infinity : Date.parse(before));
}

function reasonOf({ name, last_error: error }: Client): string {
  if (error === null) return showControls(name);
  const at = formatTime(Date.parse(error.at), Date.now());
  return showControls(`${name}, ${at}: ${error.status} ${error.message}`);
}
