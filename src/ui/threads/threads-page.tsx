import { type ReactElement, useEffect } from 'react';
import { Link } from 'wouter';
import type { Thread } from '../../protocol/thread.ts';
import { paths } from '../address/paths.ts';
import { Bone } from '../controls/bones.tsx';
import { Failure } from '../controls/failure.tsx';
import { LISTED_THREADS, useThreads } from '../data/threads.ts';
import { countOf, formatCount } from '../format/count.ts';
import { formatLatency } from '../format/latency.ts';
import { formatInstant, formatTime } from '../format/time.ts';
import { showControls } from '../json/show-controls.ts';
import classes from './threads-page.module.css';

/** The conversations of a project. */
export function ThreadsPage({ project }: { readonly project: string }): ReactElement {
  const { data: threads, error, refetch } = useThreads(project);
  useEffect(() => {
    document.title = `Threads · ${project.split('/').at(-1) ?? project} · spoor`;
  }, [project]);
  return (
    <>
      <header className={classes.head}>
        <h1>Threads</h1>
      </header>
      {error !== null && <Failure what="Threads could not be read" error={error} onRetry={() => void refetch()} />}
      <div className={classes.list}>
        {threads?.length === 0 && <NoThreads />}
        {threads === undefined && error === null && <Bone width={320} />}
        {threads !== undefined && threads.length > 0 && <ThreadTable project={project} threads={threads} />}
      </div>
      <footer className={classes.foot}>{threads !== undefined && footText(threads.length)}</footer>
    </>
  );
}

function footText(count: number): string {
  return count < LISTED_THREADS ? countOf(count, 'thread') : `the ${formatCount(count)} newest threads`;
}

function NoThreads(): ReactElement {
  return (
    <p className={classes.none}>
      No call of this project belongs to a conversation. Calls within <code>withThread(id, …)</code> do.
    </p>
  );
}

interface TableProps {
  readonly project: string;
  readonly threads: readonly Thread[];
}

function ThreadTable({ project, threads }: TableProps): ReactElement {
  const now = Date.now();
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          {['Thread', 'Turns', 'p50', 'p99', 'Began', 'Last turn'].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {threads.map((thread) => (
          <ThreadLine key={thread.thread_id} project={project} thread={thread} now={now} />
        ))}
      </tbody>
    </table>
  );
}

interface LineProps {
  readonly project: string;
  readonly thread: Thread;
  readonly now: number;
}

function ThreadLine({ project, thread, now }: LineProps): ReactElement {
  const { thread_id: id, turn_count: turns, start_time: began, last_updated: last } = thread;
  const name = showControls(id);
  return (
    <tr>
      <th scope="row" className="cut">
        <Link href={paths.thread(project, id)} title={name}>
          <bdi>{name}</bdi>
        </Link>
      </th>
      <td>{formatCount(turns)}</td>
      <td>{durationText(thread.p50_turn_duration_ms)}</td>
      <td>{durationText(thread.p99_turn_duration_ms)}</td>
      <td title={formatInstant(Date.parse(began))}>{formatTime(Date.parse(began), now)}</td>
      <td title={formatInstant(Date.parse(last))}>{formatTime(Date.parse(last), now)}</td>
    </tr>
  );
}

function durationText(ms: number | null): string {
  return ms === null ? '–' : formatLatency(ms);
}
