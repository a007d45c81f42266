import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useSearch } from 'wouter';
import { CALLS, NOTHING_BESIDE } from '../address/pages.ts';
import { lateLine, latePart } from '../controls/late-part.tsx';
import { PausedContext } from '../data/as-of.ts';
import { useProjects } from '../data/projects.ts';
import { PHONE, useMedia } from '../shell/use-media.ts';
import { useRowHeight } from '../shell/row-height.ts';
import { useSize } from '../shell/use-size.ts';
import { CallsBody } from './calls-body.tsx';
import { CallsHead } from './calls-head.tsx';
import classes from './calls-page.module.css';
import { CallsStrips } from './calls-strips.tsx';
import { useColumns } from './list/use-columns.ts';
import { useGoing } from './list/use-going.ts';
import { useListKeys } from './list/use-list-keys.ts';
import { useScrollMemory } from './list/use-scroll-memory.ts';
import { useShownCalls } from './list/use-shown-calls.ts';
import { loadNewCalls } from './load-new-calls.tsx';
import { useActions } from './use-actions.tsx';
import { useWhy } from './why/use-why.ts';

const NewCalls = latePart(() => loadNewCalls());
const PeekPanel = lateLine(async () => (await import('./peek-panel.tsx')).PeekPanel);
const WhyPanel = lateLine(async () => (await import('./why/why-panel.tsx')).WhyPanel);
const EmptyPage = latePart(async () => (await import('../empty/empty-page.tsx')).EmptyPage);

export interface CallsPageProps {
  readonly project: string;
  readonly url: string;
}

const PHONE_ROW_PX = 56;

/** All calls of a project: what happened, what broke, what it cost. */
export function CallsPage({ project, url }: CallsPageProps): ReactElement {
  const calls = useShownCalls(project);
  const { state, change, wanted, rows, grid, chosen, list } = calls;
  // An empty project has no list, and gets one with its first call.
  const [place, setPlace] = useState<HTMLDivElement | null>(null);
  const { width } = useSize(place);
  const p95 = calls.stats.data?.latency_ms?.p95;
  const columns = useColumns({ project, named: state.cols, t: state.t, p95, widthPx: width });
  const going = useGoing(project, calls, place);
  const { rowOf } = going;
  const meant = rowOf(state.sel === '' ? grid.active : state.sel);
  const actions = useActions({
    project,
    selection: wanted.sums,
    rows: chosen.length > 0 ? chosen : [meant].flatMap((row) => row ?? []),
    onDone: grid.unselect,
  });
  const search = useSearch();
  const scroll = useScrollMemory(`${project}?${CALLS.write(search, NOTHING_BESIDE)}`, rows.length > 0);
  const isPhone = useMedia(PHONE);
  const { px: usualPx } = useRowHeight();
  const rowPx = isPhone ? PHONE_ROW_PX : usualPx;
  const why = useWhy(project, calls);
  useListKeys({ calls, going, actions, why, place, rowPx });
  const client = useQueryClient();
  const isEmptyProject = useIsEmpty(project);
  if (isEmptyProject && state.q === '' && rows.length === 0 && !calls.isLoading && calls.failure === undefined)
    return <EmptyPage project={project} url={url} onSent={() => void client.invalidateQueries()} />;
  const showWaiting = () => {
    list.showWaiting();
    scroll.toTop();
  };
  return (
    <PausedContext value={!state.live}>
      <title>{`Calls · ${project.split('/').at(-1)} · spoor`}</title>
      <CallsHead
        {...{ project, state, change, columns, list, wanted, why }}
        waiting={calls.waiting}
        since={calls.since}
        isIdle={calls.failure !== undefined && rows.length === 0}
        onShow={showWaiting}
      />
      <NewCalls key={JSON.stringify([state.q, state.t, state.roots])} stats={calls.stats} />
      <CallsStrips calls={calls} />
      <div className={classes.body}>
        <div ref={setPlace} className={classes.list}>
          <CallsBody {...{ project, calls, going, actions, why, scroll, isPhone, rowPx }} columns={columns.shown} />
        </div>
        {state.sel !== '' && (
          <PeekPanel
            project={project}
            id={state.sel}
            row={rowOf(state.sel)}
            onMove={going.canStep ? going.step : undefined}
            onClose={going.close}
          />
        )}
        {why.isOpen && (
          <WhyPanel
            compared={why.compared}
            keptCount={why.keptCount}
            q={state.q}
            // On a phone it covers the list, which then has what was asked for.
            onFilter={(q) => change(isPhone ? { q, why: false, of: [] } : { q })}
            takesFocus={why.takesFocus}
            onClose={why.close}
            onLeave={going.comeBack}
          />
        )}
      </div>
    </PausedContext>
  );
}

/** One that nobody has written to is on no list. */
function useIsEmpty(project: string): boolean {
  const projects = useProjects().data;
  return projects !== undefined && (projects.find((each) => each.project_id === project)?.calls ?? 0) === 0;
}
