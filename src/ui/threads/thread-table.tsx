import { type ReactElement, useRef } from 'react';
import { Link } from 'wouter';
import { paths } from '../address/paths.ts';
import { Bone } from '../controls/signs/bones.tsx';
import { Icon } from '../controls/signs/icon.tsx';
import { StatusSign } from '../controls/signs/status-sign.tsx';
import { useToast } from '../controls/toast.tsx';
import type { ListedThread } from '../data/threads.ts';
import { formatCount } from '../format/count.ts';
import { formatLatency } from '../format/latency.ts';
import { previewText } from '../format/preview.ts';
import { formatInstant, formatTime } from '../format/time.ts';
import { copyText, NOT_COPIED } from '../json/copy-text.ts';
import { showControls } from '../json/show-controls.ts';
import { useLinkKeys } from '../grid/use-link-keys.ts';
import classes from './threads-page.module.css';
import { PHONE, useMedia } from '../shell/use-media.ts';

export interface ThreadTableProps {
  readonly project: string;
  readonly threads: readonly ListedThread[];
}

/** A line for each conversation. */
export function ThreadTable({ project, threads }: ThreadTableProps): ReactElement {
  const now = Date.now();
  const table = useRef<HTMLTableElement>(null);
  const toast = useToast();
  useLinkKeys('Threads', table, (link) => {
    void copyText(link).then((isCopied) => toast({ text: isCopied ? 'Link copied' : NOT_COPIED }));
  });
  return (
    <table ref={table} className={classes.table}>
      <Names />
      <tbody>
        {threads.map((thread) => (
          <ThreadLine key={thread.thread_id} project={project} thread={thread} now={now} />
        ))}
      </tbody>
    </table>
  );
}

const NAMES = ['Thread', 'Begins with', 'Status', 'Turns', 'p50', 'p99', 'Started', 'Last turn'];

const MEANINGS: Readonly<Record<string, string>> = {
  Status: 'Of the last turn',
  p50: 'Half of the turns took no longer',
  p99: '99 of 100 turns took no longer',
};

/** By it threads come in their order. */
const NEWEST_FIRST = 'Last turn';

function Names(): ReactElement {
  return (
    <thead>
      <tr>
        {NAMES.map((name) => (
          <th
            key={name}
            scope="col"
            title={MEANINGS[name]}
            aria-sort={name === NEWEST_FIRST ? 'descending' : undefined}
          >
            {name}
            {name === NEWEST_FIRST && <Icon name="arrow-down" size={12} />}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Widths of bars where first words will be, in percent. */
const BARS = [36, 28, 46, 32, 40, 26, 44, 30, 38, 34];
/** Of an id, and of the numbers, in pixels. */
const ID_BAR = 64;
const OTHER_BARS = [48, 16, 48, 48, 56, 56];
/** Lines down to the foot of any window; those below it are not seen. */
const BONE_LINES = 80;

/** The table without a line: those could not be read. */
export function ThreadHeads(): ReactElement {
  return (
    <table className={classes.table}>
      <Names />
    </table>
  );
}

/** The table as it will be: nothing moves when its lines are there. */
export function ThreadBones(): ReactElement {
  return (
    <table className={classes.table} aria-hidden="true">
      <Names />
      <tbody>
        {Array.from({ length: BONE_LINES }, (_, line) => (
          <tr key={line}>
            <th>
              <Bone width={ID_BAR} />
            </th>
            <td>
              <Bone width={`${BARS[line % BARS.length] ?? 0}%`} />
            </td>
            {OTHER_BARS.map((px, column) => (
              <td key={NAMES[column + 2]}>
                <Bone width={px} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface LineProps {
  readonly project: string;
  readonly thread: ListedThread;
  readonly now: number;
}

function ThreadLine({ project, thread, now }: LineProps): ReactElement {
  const { thread_id: id, turn_count: turns, start_time: began, last_updated: updated, first, last } = thread;
  const name = showControls(id);
  const isPhone = useMedia(PHONE);
  return (
    <tr>
      <th scope="row" className="cut">
        <Link href={paths.thread(project, id)} title={name}>
          <bdi>{name}</bdi>
        </Link>
      </th>
      <td className="cut" title={first?.input ?? undefined}>
        <bdi>{showControls(previewText(first?.input ?? '–'))}</bdi>
      </td>
      <td className="cut">
        {last === undefined ? (
          '–'
        ) : (
          <StatusSign state={last.state} word={last.state === 'error' ? last.error_type : null} isSignOnly={isPhone} />
        )}
      </td>
      <td>{formatCount(turns)}</td>
      <td>{durationText(thread.p50_turn_duration_ms)}</td>
      <td>{durationText(thread.p99_turn_duration_ms)}</td>
      <td title={formatInstant(Date.parse(began))}>{formatTime(Date.parse(began), now)}</td>
      <td title={formatInstant(Date.parse(updated))}>{formatTime(Date.parse(updated), now)}</td>
    </tr>
  );
}

function durationText(ms: number | null): string {
  return ms === null ? '–' : formatLatency(ms);
}
