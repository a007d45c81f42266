import { type ReactElement, useMemo } from 'react';
import { useSearch } from 'wouter';
import { CALLS, type CallsState, NOTHING_BESIDE } from '../address/pages.ts';
import type { ChangeAddress } from '../address/use-address.ts';
import { IconButton } from '../controls/button.tsx';
import { lateLine } from '../controls/late-part.tsx';
import pageHead from '../controls/page-head.module.css';
import { Segmented } from '../controls/segmented.tsx';
import classes from './calls-page.module.css';
import { FilterBar } from './filter/filter-bar.tsx';
import { callsOfRange } from './filter/range.ts';
import { RangeMenu } from './filter/range-menu.tsx';
import { ViewMenu } from './filter/view-menu.tsx';
import { ColumnMenu } from './list/column-menu.tsx';
import { steadyNow } from './list/steady-now.ts';
import type { ColumnChoice } from './list/use-columns.ts';
import type { CallList } from './list/use-list.ts';
import type { WantedCalls } from './list/use-wanted.ts';
import type { Waiting } from './list/use-waiting-count.ts';
import { LiveButton } from './live-button.tsx';
import type { Why } from './why/use-why.ts';

const QueryButton = lateLine(async () => (await import('./filter/query-button.tsx')).QueryButton);

export interface CallsHeadProps {
  readonly project: string;
  readonly state: CallsState;
  readonly change: ChangeAddress<CallsState>;
  readonly columns: ColumnChoice;
  readonly list: Pick<CallList, 'isLive'>;
  /** The calls that are meant, and what is wrong with the filter. */
  readonly wanted: Pick<WantedCalls, 'selection' | 'errors'>;
  readonly why: Pick<Why, 'isOpen' | 'toggle'>;
  readonly waiting: Waiting;
  /** As of the shown calls. */
  readonly since: number | undefined;
  /** There are no rows that changes could be told of, as they could not be read. */
  readonly isIdle: boolean;
  /** Shows what waits. */
  readonly onShow: () => void;
}

const ROWS = [
  { value: 'roots', label: 'Roots', title: 'Calls that have no parent' },
  { value: 'all', label: 'All', title: 'All calls, also those inside of others' },
] as const;

/** The head of the list: the calls it has, and how it shows them. */
export function CallsHead(props: CallsHeadProps): ReactElement {
  const { project, state, change, columns, list, wanted, why, waiting, since, isIdle, onShow } = props;
  const search = useSearch();
  const { q, t, roots, live } = state;
  const suggested = useMemo(() => callsOfRange({ project, t, roots, now: steadyNow() }), [project, t, roots]);
  const choose = (chosen?: readonly string[]) => {
    columns.keep(chosen);
    change({ cols: [] }, { isReplacing: true });
  };
  return (
    <div className={`${pageHead.head} ${classes.head}`}>
      <h1>Calls</h1>
      <FilterBar value={q} selection={suggested} onChange={(next) => change({ q: next }, { isReplacing: true })} />
      {(q !== '' || why.isOpen) && (
        <IconButton
          icon="spark"
          label="What is different?"
          keys="w"
          isGhost={false}
          aria-pressed={why.isOpen}
          onClick={why.toggle}
        />
      )}
      {q !== '' && <QueryButton project={project} q={q} />}
      <RangeMenu value={t} since={since} onChange={(next) => change({ t: next })} />
      <Segmented
        label="Rows"
        value={roots ? 'roots' : 'all'}
        options={ROWS}
        onChange={(next) => change({ roots: next === 'roots' })}
      />
      <ColumnMenu all={columns.all} chosen={columns.chosen} onChange={choose} onReset={() => choose()} />
      <ViewMenu project={project} query={CALLS.write(search, NOTHING_BESIDE)} columns={columns.chosen} />
      <LiveButton
        isOn={live}
        isOpen={list.isLive}
        isIdle={isIdle || (wanted.selection === undefined && wanted.errors.length > 0)}
        waiting={waiting}
        onToggle={() => change({ live: !live }, { isReplacing: true })}
        onShow={onShow}
      />
    </div>
  );
}
