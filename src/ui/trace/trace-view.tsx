import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { SKELETON_STATES } from '../../protocol/page/skeleton.ts';
import { LiveButton } from '../calls/live-button.tsx';
import { CallsBelowContext } from '../call/calls-below.ts';
import { NeighbourFactsContext } from '../call/neighbour-facts.ts';
import { type FindToolCall, ToolCallPlaceContext } from '../chat/tool-call-place.ts';
import { KeysFoot } from '../controls/foot/keys-foot.tsx';
import type { CallState } from '../controls/signs/status-sign.tsx';
import { runKey, useKeys } from '../shell/keys.ts';
import { PHONE, useMedia } from '../shell/use-media.ts';
import { DetailPane } from './detail-pane.tsx';
import { FlameView } from './canvas/flame-view.tsx';
import { HeavyView } from './canvas/heavy-view.tsx';
import { criticalPath } from './layout/critical-path.ts';
import { at } from '../tree/numbers.ts';
import { visibleRowsOf } from './layout/visible-rows.ts';
import { Minimap } from './canvas/minimap.tsx';
import { PhoneSteps } from './phone/phone-steps.tsx';
import { PhoneSheet } from './phone/phone-sheet.tsx';
import { callName } from './tree/row-text.ts';
import { toolCallOf } from './tree/tool-call-of.ts';
import { traceActions, zoomAround } from './trace-actions.ts';
import type { ChangeAddress, TraceAddress } from './trace-address.ts';
import { traceFacts } from './trace-facts.ts';
import { type CachedOf, TraceHead } from './trace-head.tsx';
import { FOOT_KEYS, traceBindings } from './trace-keys.ts';
import { TraceToolbar } from './trace-toolbar.tsx';
import { openState, TraceTree } from './tree/trace-tree.tsx';
import { neighbourFacts } from './neighbour-facts.ts';
import { type Cursor, useCursor } from './use-cursor.ts';
import { useFound } from './use-found.ts';
import { useGrowthWords } from './use-growth-words.ts';
import { useScales } from './use-scales.ts';
import type { LaidOutTrace } from './use-trace-layout.ts';
import classes from './trace-view.module.css';

export interface TraceViewProps {
  readonly trace: LaidOutTrace;
  readonly address: TraceAddress;
  readonly change: ChangeAddress;
  /** Absent: there is nothing to go back to. */
  readonly onBack?: () => void;
  readonly actions?: ReactNode;
  /** Shows the trace beside the one before it; absent: there is no other. */
  readonly onCompare?: () => void;
  /** Absent: nothing can come. */
  readonly following?: Following;
  readonly cached?: CachedOf;
  /** Behind the name in the title of the window; absent: the title is not ours. */
  readonly titleEnd?: string;
  /** The path of a call of this trace. */
  readonly hrefOfCall?: (callId: string) => string;
  /** The pane of the selected call; absent: there is none. */
  readonly detail?: (callId: string, state: CallState | undefined) => ReactNode;
}

/** Whether the trace is shown as it grows. */
export interface Following {
  readonly isOn: boolean;
  /** Changes are told. */
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** A trace in its three forms, with what is selected beside it. */
export function TraceView(props: TraceViewProps): ReactNode {
  const { trace, address, change, onBack, actions, following, titleEnd } = props;
  const { skeleton, layout } = trace;
  const { zoom, as: form } = address;
  const isPhone = useMedia(PHONE);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const findField = useRef<HTMLInputElement>(null);
  const facts = useMemo(() => traceFacts(skeleton, layout), [skeleton, layout]);
  const cursor = useCursor(trace, address, change);
  const rows = useMemo(() => visibleRowsOf(layout, cursor.folds), [layout, cursor.folds]);
  const { now, whole, shown, isIdleFolded, toggleIdle } = useScales(trace, zoom, {
    isRunning: facts.running > 0,
    isPaused: following?.isOn === false,
  });
  const found = useFound(trace, {
    text: address.find,
    cursor,
    onFind: (text) => change({ find: text }, 'replace'),
  });
  const { path, togglePath } = useCriticalPath(trace);
  const isFollowed = useOnce(facts.running > 0 || following?.isOn === false);
  const growth = useGrowthWords(skeleton.count, facts.errors.length);
  const detail = useDetail(props, useDeferredValue(cursor.call));
  useTitle(callName(skeleton, facts.root), titleEnd);

  const run = traceActions({
    trace,
    rows,
    cursor,
    errors: facts.errors,
    whole,
    zoom,
    change,
    find: () => findField.current?.select(),
    back: () => (isSheetOpen ? setSheetOpen(false) : onBack?.()),
    open: () => (isPhone ? setSheetOpen(true) : focusDetail()),
    compare: props.onCompare,
    pause: following?.onToggle,
  });
  useKeys('Trace', traceBindings(run));

  const { select: selectLine } = cursor;
  const select = useCallback((code: number): void => selectLine(code), [selectLine]);
  const toggle = useToggle(trace, cursor);
  const chart = { trace, scale: shown, selected: cursor.call, onSelect: select };
  return (
    <div className={classes.view}>
      <p className="vh" role="status">
        {growth}
      </p>
      <TraceHead
        trace={trace}
        facts={facts}
        now={now}
        following={following && isFollowed && <LiveButton {...following} />}
        actions={actions}
        cached={props.cached}
        {...(onBack && { onBack })}
      />
      {/* It acts on what lies behind the sheet. */}
      {!(isPhone && isSheetOpen) && (
        <TraceToolbar
          form={form}
          onForm={run.form}
          find={found}
          findField={findField}
          errorCount={facts.errors.length}
          onErrorStep={run.error}
          isPathOn={path !== undefined}
          onPath={togglePath}
          isIdleFolded={isIdleFolded}
          onIdle={toggleIdle}
          isZoomed={zoom !== undefined}
          onFit={run.fit}
          onKeys={showKeys}
        />
      )}
      <div className={classes.body}>
        <div className={classes.left}>
          <Minimap trace={trace} scale={whole} zoom={zoom} onZoom={(next) => change({ zoom: next }, 'replace')} />
          {form === 'tree' && (
            <TraceTree
              trace={trace}
              rows={rows}
              folds={cursor.folds}
              scale={shown}
              now={now}
              cursor={cursor.code}
              path={path}
              found={found.calls}
              wanted={found.wanted}
              onSelect={select}
              onToggle={toggle}
              actions={run}
            />
          )}
          {form === 'flame' && (
            <FlameView
              {...chart}
              path={path}
              found={found.calls}
              onZoomBy={(factor, around) => change({ zoom: zoomAround(whole, shown, factor, around) }, 'replace')}
            />
          )}
          {form === 'heavy' && <HeavyView {...chart} />}
          {isPhone && <PhoneSteps onStep={run.move} onBack={onBack} />}
          {isPhone && detail !== undefined && (
            <PhoneSheet trace={trace} call={cursor.call} now={now} isOpen={isSheetOpen} onOpen={setSheetOpen}>
              {detail}
            </PhoneSheet>
          )}
          <KeysFoot keys={FOOT_KEYS[form]} />
        </div>
        {!isPhone && detail !== undefined && <DetailPane>{detail}</DetailPane>}
      </div>
    </div>
  );
}

/** The pane of a call, with what the calls around it tell: tools that a model asked for lead to the calls that they became. */
function useDetail({ trace, hrefOfCall, detail }: TraceViewProps, call: number): ReactNode {
  const { skeleton } = trace;
  const place = useCallback<FindToolCall>(
    (part) => {
      const tool = toolCallOf(skeleton, call, part);
      if (tool === undefined) return undefined;
      return { href: hrefOfCall?.(skeleton.ids[tool] ?? ''), error: skeleton.errors.get(tool) };
    },
    [skeleton, call, hrefOfCall],
  );
  const facts = useMemo(() => neighbourFacts(trace, call), [trace, call]);
  if (detail === undefined) return undefined;
  const state = SKELETON_STATES[skeleton.states[call] ?? -1];
  return (
    <ToolCallPlaceContext value={place}>
      <NeighbourFactsContext value={facts}>
        <CallsBelowContext value={at(trace.layout.tree.size, call) - 1}>
          {detail(skeleton.ids[call] ?? '', state)}
        </CallsBelowContext>
      </NeighbourFactsContext>
    </ToolCallPlaceContext>
  );
}

/** Folds a line that is open, and opens one that is not. */
function useToggle(trace: LaidOutTrace, { folds, toggle }: Cursor): (code: number, isDeep: boolean) => void {
  return useCallback(
    (code, isDeep) => toggle(code, openState(trace, folds, code) === false, isDeep),
    [trace, folds, toggle],
  );
}

function useCriticalPath({ skeleton: { states }, layout }: LaidOutTrace): {
  readonly path: Uint8Array | undefined;
  readonly togglePath: () => void;
} {
  const [isOn, setOn] = useState(false);
  const path = useMemo(() => (isOn ? criticalPath(layout, states) : undefined), [isOn, layout, states]);
  return { path, togglePath: () => setOn(!isOn) };
}

function useTitle(name: string, end: string | undefined): void {
  useEffect(() => {
    if (end !== undefined) document.title = `${name} · ${end}`;
  }, [name, end]);
}

function focusDetail(): void {
  document.querySelector<HTMLElement>('aside[aria-label="Selected call"] [role="tab"][aria-selected="true"]')?.focus();
}

/** The list of keys belongs to the shell, and so does its key. */
function showKeys(): void {
  runKey('?');
}

/** Once true it stays so: a button that goes when it is pressed takes the focus with it. */
function useOnce(isSo: boolean): boolean {
  const [was, setWas] = useState(isSo);
  if (isSo && !was) setWas(true);
  return isSo || was;
}
