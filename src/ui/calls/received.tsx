import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { paths } from '../address/paths.ts';
import type { Client } from '../data/answers.ts';
import { countOf } from '../format/count.ts';
import { showControls } from '../json/show-controls.ts';

/** Whether all came that programs sent, as far as the service knows since it was started; of no program it knows nothing. */
export function Received({ clients }: { readonly clients: readonly Client[] }): ReactElement {
  const refused = clients.filter(isRefused);
  if (refused.length > 0) {
    return (
      <Link className="warn" href={paths.settings} title={refused.map(reasonOf).join('\n')}>
        Refused: {countOf(refused.length, 'client')}
      </Link>
    );
  }
  if (clients.length === 0)
    return <span title="No program has sent anything since the service was started">Received: unknown</span>;
  const unknown = clients.filter(({ missing }) => missing === null).length;
  if (unknown === 0) return <span>All received</span>;
  if (unknown === clients.length) return <span>Received: unknown</span>;
  return <span>Received: unknown from {countOf(unknown, 'client')}</span>;
}

/** A wrong key or address: such records wait where they are, and come once it is right. */
const WAITING = new Set([401, 403, 404, 408, 425, 429]);

/** Records refused for their content are lost; those refused for another reason came since, unless that was the last word. */
function isRefused({ last_error: error, last_seen_at: seenAt }: Client): boolean {
  if (error === null) return false;
  const isLastWord = Date.parse(error.at) >= Date.parse(seenAt);
  return isLastWord || !(WAITING.has(error.status) || error.status >= 500);
}

function reasonOf({ name, last_error: error }: Client): string {
  return showControls(`${name}: ${error?.status} ${error?.message}`);
}
