import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useCallback, useMemo, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { MAX_SEARCH_CHARACTERS } from '../address/codec.ts';
import { CALLS } from '../address/pages.ts';
import { callPath } from '../address/paths.ts';
import { useAddress } from '../address/use-address.ts';
import { Failure } from '../controls/failure.tsx';
import { latePart } from '../controls/late-part.tsx';
import { Segmented } from '../controls/segmented.tsx';
import { Strip } from '../controls/strip.tsx';
import type { CallRow } from '../data/answers.ts';
import { useCallsStats } from '../data/calls-stats.ts';
import { useProjects } from '../data/projects.ts';
import { fittingColumns } from '../grid/column.ts';
import { useGrid } from '../grid/use-grid.ts';
import { VirtualGrid } from '../grid/virtual-grid.tsx';
import { useKeys } from '../shell/keys.ts';
import { useRemembered } from '../shell/remembered.ts';
import { PHONE, useMedia } from '../shell/use-media.ts';
import { CallsFoot } from './calls-foot.tsx';
import classes from './calls-page.module.css';
import { ColumnMenu } from './list/column-menu.tsx';
import { columnsOf, LEAVING, USUAL_COLUMNS } from './list/columns.tsx';
import { FilterBar } from './filter/filter-bar.tsx';
import { Histogram } from './filter/histogram.tsx';
import { LiveButton } from './live-button.tsx';
import { LookedAt } from './list/looked-at.tsx';
import { PhoneRow } from './list/phone-row.tsx';
import { Reading } from './list/reading.tsx';
import { callsOfRange, printSpan, rangeOf } from './filter/range.ts';
import { RangeMenu } from './filter/range-menu.tsx';
import { type FilterLanguage, useLanguage } from './filter/use-language.ts';
import { SelectionBar } from './selection-bar.tsx';
import { steadyNow } from './list/steady-now.ts';
import { useActions } from './use-actions.tsx';
import { useList } from './list/use-list.ts';
import { useLook } from './list/use-look.ts';
import { useScrollMemory } from './list/use-scroll-memory.ts';
import { ViewMenu } from './filter/view-menu.tsx';
import { useRowsBeyond } from './list/use-rows-beyond.ts';
import type { Wanted, WantedOptions } from './list/wanted-calls.ts';
import { useSize } from '../shell/use-size.ts';

const NothingFound = latePart(
  async () => (await import('./filter/nothing-found.tsx')).NothingFound,
  () => <div className={classes.list} />,
);
const PeekPanel = latePart(async () => (await import('./peek-panel.tsx')).PeekPanel);
const EmptyPage = latePart(async () => (await import('../empty/empty-page.tsx')).EmptyPage);

export interface CallsPageProps {
  readonly project: string;
  readonly url: string;
}

/** Rows of a list before the first page has come. */
const FIRST_BONES = 24;
const PHONE_ROW_PX = 56;
const DAY_MS = 86_400_000;
const idOf = (row: CallRow) => row.id;

/** All calls of a project: what happened, what broke, what it cost. */
export function CallsPage({ project, url }: CallsPageProps): ReactElement {
  const [state, change] = useAddress(CALLS);
  const search = useSearch();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const { q, t, roots, sel, live } = state;

  const { language, error: languageError, retry: loadLanguage } = useLanguage(q !== '');
  const read = useMemo(
    () => wantedOf(language, { project, q, t, roots, now: steadyNow() }),
    [language, project, q, t, roots],
  );
  // A filter that makes no sense yet leaves what is shown.
  const good = useRef(read);
  if (read.selection !== undefined) good.current = read;
  const wanted = good.current;
  const suggested = useMemo(() => callsOfRange({ project, t, roots, now: steadyNow() }), [project, t, roots]);
  const sorting = sortingOf(state.sort);
  const [isScrolled, setIsScrolled] = useState(false);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [isHeld, setIsHeld] = useState(false);
  const list = useList({
    project,
    selection: wanted.selection,
    sorting,
    isLive: live,
    isHeld: isHeld || isScrolled || sel !== '',
  });
  const met = useRowsBeyond(project, list.rows, wanted.beyond);
  const look = useLook({
    key: JSON.stringify([wanted.selection, wanted.beyond, state.sort]),
    isLooking: wanted.beyond.length > 0,
    count: list.rows.length,
    loadMore: list.loadMore,
  });
  const isUnread = wanted.selection === undefined && read.errors.length === 0 && languageError === undefined;
  const isLoading = isUnread || list.isLoading || (met.isAsking && met.rows.length === 0);
  const [failure, retry] =
    languageError !== undefined
      ? [languageError, loadLanguage]
      : list.error === null
        ? [met.error, met.retry]
        : [list.error, list.retry];
  const rows = useMemo(() => met.rows.filter((row) => !hidden.has(row.id)), [met.rows, hidden]);
  const ids = useMemo(() => rows.map(idOf), [rows]);
  const grid = useGrid(ids);
  // Of a list that was read again from its top, rows that were selected may be there no more.
  const chosenRows = rows.filter((row) => grid.selected.has(row.id));
  const isHolding = chosenRows.length > 0;
  if (isHolding !== isHeld) setIsHeld(isHolding);
  const stats = useCallsStats(wanted.selection);
  const isPhone = useMedia(PHONE);
  // An empty project has no list, and gets one with its first call.
  const [place, setPlace] = useState<HTMLDivElement | null>(null);
  const { width } = useSize(place);
  const projects = useProjects().data;
  // One that nobody has written to is on no list.
  const isEmptyProject =
    projects !== undefined && (projects.find((each) => each.project_id === project)?.calls ?? 0) === 0;

  const [kept, keep] = useRemembered('columns', USUAL_COLUMNS.join(','));
  const chosen = state.cols.length > 0 ? state.cols : kept.split(',');
  const after = rangeOf(t, Date.now()).after;
  const hasDates = after === undefined || Date.now() - after > DAY_MS + 60_000;
  const isNarrow = width < NARROW_PX;
  const p95 = stats.data?.latency_ms?.p95;
  const all = useMemo(() => columnsOf({ project, p95, hasDates, isNarrow }), [project, p95, hasDates, isNarrow]);
  const columns = useMemo(() => {
    const shown = all.filter(({ id }) => id === 'op' || chosen.includes(id));
    return fittingColumns(shown, width - ROW_ENDS_PX, LEAVING);
  }, [all, chosen.join(), width]);

  const peek = useCallback((row: CallRow) => change({ sel: row.id }), [change]);
  const open = useCallback((row: CallRow) => navigate(callPath(project, row.trace_id, row.id)), [navigate, project]);
  const rowOf = (id: string | undefined) => rows.find((row) => row.id === id);
  const step = (by: number) => {
    const id = grid.move(by);
    if (sel !== '' && id !== undefined) change({ sel: id }, { isReplacing: true });
  };
  const closePeek = () => {
    if (rowOf(sel) !== undefined) grid.focus(sel);
    change({ sel: '' });
    // The panel goes with what had the focus.
    requestAnimationFrame(() => place?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus());
  };
  const meantRow = rowOf(sel === '' ? grid.active : sel);
  const actions = useActions({
    project,
    selection: wanted.selection,
    rows: chosenRows.length > 0 ? chosenRows : [meantRow].flatMap((row) => row ?? []),
    onHide: (gone) => setHidden((was) => new Set([...was, ...gone])),
    onShow: (back) => setHidden((was) => new Set([...was].filter((id) => !back.includes(id)))),
    onDone: grid.clear,
  });
  const scroll = useScrollMemory(`${project}?${CALLS.write(search, { sel: '' })}`, rows.length > 0);
  const within = () => place;
  const pageRows = Math.max(1, Math.floor((place?.clientHeight ?? 400) / 28) - 2);
  useKeys('List', [
    { keys: ['j'], label: 'Next', run: () => step(1) },
    { keys: ['k'], label: 'Previous', run: () => step(-1) },
    { keys: ['ArrowDown'], label: 'Next row', within, run: () => step(1) },
    { keys: ['ArrowUp'], label: 'Previous row', within, run: () => step(-1) },
    { keys: ['PageDown'], label: 'Page down', within, run: () => step(pageRows) },
    { keys: ['PageUp'], label: 'Page up', within, run: () => step(-pageRows) },
    { keys: ['Home'], label: 'First', within, run: () => step(-rows.length) },
    { keys: ['End'], label: 'Last that is loaded', within, run: () => step(rows.length) },
    { keys: ['Enter'], label: 'Look at the call', within, run: () => withRow(rowOf(grid.focused), peek) },
    { keys: ['Mod+Enter'], label: 'Open its trace', run: () => withRow(rowOf(sel) ?? rowOf(grid.focused), open) },
    {
      keys: ['x'],
      label: 'Select',
      isOnce: true,
      run: () => grid.focused !== undefined && grid.toggle(grid.focused),
    },
    {
      keys: ['X'],
      label: 'Select up to here',
      run: () => grid.focused !== undefined && grid.toggle(grid.focused, true),
    },
    { keys: ['e'], label: 'Export', run: () => document.getElementById('export')?.click() },
    { keys: ['y'], label: 'Copy link', run: () => actions.copy('link') },
    { keys: ['Y'], label: 'Copy as…', run: () => document.getElementById('copy-as')?.click() },
    { keys: ['#'], label: 'Delete', isOnce: true, run: actions.remove },
    { keys: ['Mod+.'], label: 'Pause or go on', isEverywhere: true, run: () => change({ live: !live }) },
    {
      keys: ['Escape'],
      label: 'Close, or clear the selection',
      run: () => (sel === '' ? grid.clear() : closePeek()),
    },
  ]);

  if (isEmptyProject && q === '' && rows.length === 0 && !isLoading && failure === null) {
    const again = () => void client.invalidateQueries();
    return <EmptyPage project={project} url={url} onSent={again} />;
  }
  const isNothing =
    !isLoading && !list.isStopped && failure === null && rows.length === 0 && list.loadMore === undefined;
  const bones = isLoading ? FIRST_BONES : list.isLoadingMore || look.loadMore ? 3 : 0;
  const onChange = (next: string) => change({ q: next }, { isReplacing: true });
  return (
    <>
      <title>{`Calls · ${project.split('/').at(-1)} · spoor`}</title>
      <div className={classes.head}>
        <h1>Calls</h1>
        <FilterBar value={q} selection={suggested} onChange={onChange} />
        <RangeMenu value={t} onChange={(next) => change({ t: next })} />
        <Segmented
          label="Rows"
          value={roots ? 'roots' : 'all'}
          options={ROWS}
          onChange={(next) => change({ roots: next === 'roots' })}
        />
        <ColumnMenu
          all={all}
          chosen={chosen}
          onChange={(next) => {
            keep(next.join(','));
            change({ cols: [] }, { isReplacing: true });
          }}
          onReset={() => {
            keep(USUAL_COLUMNS.join(','));
            change({ cols: [] }, { isReplacing: true });
          }}
        />
        <ViewMenu project={project} query={CALLS.write(search, { sel: '' })} columns={chosen} />
        <LiveButton
          isOn={live}
          isOpen={list.isLive}
          waiting={list.waiting}
          onToggle={() => change({ live: !live }, { isReplacing: true })}
          onShow={() => {
            list.showWaiting();
            scroll.toTop();
          }}
        />
      </div>
      {read.errors.map((error) => (
        <Strip key={error.offset} tone="err">
          {error.message} <span className="num-s faint">at character {error.offset + 1}</span>
        </Strip>
      ))}
      {search.length > MAX_SEARCH_CHARACTERS && (
        <Strip tone="warn">This address is too long to be passed on: save it under Views</Strip>
      )}
      {failure !== null && <Failure what="Calls could not be read" error={failure} onRetry={retry} />}
      {stats.error !== null && failure === null && (
        <Failure what="Sums could not be read" error={stats.error} onRetry={() => void stats.refetch()} />
      )}
      {look.goOn !== undefined && <LookedAt count={list.rows.length} total={stats.data?.count} onGoOn={look.goOn} />}
      <div className={classes.body}>
        <div ref={setPlace} className={classes.list}>
          {stats.data?.histogram !== undefined && stats.data.count > 0 && (
            <Histogram counts={stats.data.histogram} onSelect={(from, to) => change({ t: printSpan(from, to) })} />
          )}
          {isNothing ? (
            <NothingFound project={project} q={q} t={t} roots={roots} onChange={(next) => change(next)} />
          ) : (
            <VirtualGrid
              label="Calls"
              rows={rows}
              idOf={idOf}
              columns={columns}
              rowCount={Math.max(stats.data?.count ?? 0, rows.length)}
              rowPx={isPhone ? PHONE_ROW_PX : 28}
              grid={grid}
              openId={sel}
              sorting={sorting}
              onSort={(field) => change({ sort: nextSort(state.sort, field) })}
              onPeek={isPhone ? open : peek}
              onOpen={open}
              onEnd={look.loadMore}
              bones={bones}
              phoneRow={isPhone ? (row) => <PhoneRow row={row} /> : undefined}
              scroller={scroll.ref}
              onScroll={(top) => {
                scroll.keep(top);
                setIsScrolled(top > 28);
              }}
            />
          )}
          <CallsFoot
            project={project}
            stats={stats.data}
            note={wanted.beyond.length > 0 && <span className="warn">sums also count what the filter leaves out</span>}
            actions={
              chosenRows.length > 0 ? (
                <SelectionBar
                  count={chosenRows.length}
                  total={stats.data?.count}
                  isExact={wanted.beyond.length === 0}
                  onExport={actions.exportAs}
                  onCopy={actions.copy}
                  onDelete={actions.remove}
                  onClear={grid.clear}
                />
              ) : (
                (actions.progress ?? <Reading list={list} total={stats.data?.count} />)
              )
            }
          />
        </div>
        {sel !== '' && (
          <PeekPanel
            project={project}
            id={sel}
            row={rowOf(sel)}
            onMove={rowOf(sel) === undefined ? undefined : step}
            onClose={closePeek}
          />
        )}
      </div>
    </>
  );
}

/** What a filter asks for is known when there is what reads it; until then no selection is. */
function wantedOf(language: FilterLanguage | undefined, options: WantedOptions): Wanted {
  if (options.q === '') return { selection: callsOfRange(options), beyond: [], errors: [] };
  return language?.wantedCalls(options) ?? { beyond: [], errors: [] };
}

/** Narrower lists have short names. */
const NARROW_PX = 760;

/** Check boxes at the left and the gutter at the right. */
const ROW_ENDS_PX = 52;

const ROWS = [
  { value: 'roots', label: 'Roots', title: 'Outermost calls' },
  { value: 'all', label: 'All', title: 'All calls, also those inside of others' },
] as const;

function withRow(row: CallRow | undefined, run: (row: CallRow) => void): void {
  if (row !== undefined) run(row);
}

const SORT_FIELDS: Readonly<Record<string, string>> = { started: 'started_at', latency: 'summary.svc.latency_ms' };

function sortingOf(sort: string): { readonly field: string; readonly direction: 'asc' | 'desc' } {
  const field = SORT_FIELDS[sort.replace(/^-/, '')] ?? 'started_at';
  return { field, direction: sort.startsWith('-') ? 'desc' : 'asc' };
}

/** A further click on a head turns the order round. */
function nextSort(sort: string, field: string): string {
  const name = Object.entries(SORT_FIELDS).find(([, each]) => each === field)?.[0] ?? 'started';
  return sort === `-${name}` ? name : `-${name}`;
}
