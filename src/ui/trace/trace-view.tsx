import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { DetailPane } from './detail-pane.tsx';
import { FlameView } from './flame-view.tsx';
import { HeavyView } from './heavy-view.tsx';
import { KeyList } from './key-list.tsx';
import { criticalPath } from './layout/critical-path.ts';
import { findCalls, stepAmong } from './layout/find-calls.ts';
import { timeScale } from './layout/time-scale.ts';
import { visibleRowsOf } from './layout/visible-rows.ts';
import { Minimap } from './minimap.tsx';
import { PhoneSheet } from './phone-sheet.tsx';
import { traceActions, zoomAround } from './trace-actions.ts';
import type { ChangeAddress, TraceAddress } from './trace-address.ts';
import { traceFacts } from './trace-facts.ts';
import { traceKeyOf } from './trace-keys.ts';
import { TraceFoot } from './trace-foot.tsx';
import { TraceHead } from './trace-head.tsx';
import { TraceToolbar } from './trace-toolbar.tsx';
import { TraceTree } from './trace-tree.tsx';
import { useCursor } from './use-cursor.ts';
import { useMedia } from './use-media.ts';
import { useNow } from './use-now.ts';
import type { LaidOutTrace } from './use-trace-layout.ts';
import classes from './trace-view.module.css';

export interface TraceViewProps {
  readonly trace: LaidOutTrace;
  readonly address: TraceAddress;
  readonly change: ChangeAddress;
  readonly onBack: () => void;
  readonly actions?: ReactNode;
  /** The pane of the selected call. */
  readonly detail: (callId: string) => ReactNode;
}

/** A trace in its three forms, with what is selected beside it. */
export function TraceView({ trace, address, change, onBack, actions, detail }: TraceViewProps): ReactNode {
  const { skeleton, layout } = trace;
  const isPhone = useMedia('(max-width: 720px)');
  const cursor = useCursor(trace, address, change);
  const facts = useMemo(() => traceFacts(skeleton, layout), [skeleton, layout]);
  const [isIdleFolded, setIdleFolded] = useState(true);
  const [isPathOn, setPathOn] = useState(false);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [areKeysShown, setKeysShown] = useState(false);
  const findField = useRef<HTMLInputElement>(null);

  const now = useNow(facts.running > 0) - layout.times.origin;
  const end = facts.running > 0 ? Math.max(layout.times.span, now) : layout.times.span;
  const whole = useMemo(() => timeScale(0, end, isIdleFolded ? layout.gaps : []), [end, layout, isIdleFolded]);
  const { zoom } = address;
  const scale = useMemo(
    () => (zoom ? timeScale(zoom.from, Math.min(zoom.to, end), isIdleFolded ? layout.gaps : []) : whole),
    [zoom, whole, end, layout, isIdleFolded],
  );
  const rows = useMemo(() => visibleRowsOf(layout, cursor.folds), [layout, cursor.folds]);
  const wanted = useDeferredValue(address.find);
  const found = useMemo(() => findCalls(skeleton, layout.tree, wanted), [skeleton, layout, wanted]);
  const foundSet = useMemo(() => new Set(found), [found]);
  const path = useMemo(
    () => (isPathOn ? criticalPath(layout.tree, layout.times.start, layout.times.end) : undefined),
    [isPathOn, layout],
  );

  const run = traceActions({
    trace,
    rows,
    cursor,
    errors: facts.errors,
    whole,
    zoom,
    change,
    find: () => findField.current?.select(),
    back: () => (isSheetOpen ? setSheetOpen(false) : onBack()),
    open: () => (isPhone ? setSheetOpen(true) : focusDetail()),
  });
  const onKey = useRef<(event: KeyboardEvent) => void>(undefined);
  useEffect(() => {
    onKey.current = (event) => {
      if (
        event.key === '?' &&
        !areKeysShown &&
        !event.defaultPrevented &&
        traceKeyOf(new KeyboardEvent('keydown', { key: 'j' }))
      ) {
        if (!(event.target instanceof HTMLInputElement)) setKeysShown(true);
        return;
      }
      const key = areKeysShown ? undefined : traceKeyOf(event);
      if (!key) return;
      event.preventDefault();
      key.run(run);
    };
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey.current?.(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);

  const select = (code: number): void => cursor.select(code);
  const stepFound = (step: 1 | -1): void => {
    const next = stepAmong(found, layout.tree, cursor.call, step);
    if (next !== undefined) cursor.select(next, 'replace');
  };
  const toggle = (code: number, isDeep: boolean): void => {
    const isOpen = code >= 0 && code < layout.tree.count ? cursor.folds.calls[code] === 1 : undefined;
    cursor.toggle(code, !(isOpen ?? isGroupOpen(cursor.folds, layout.tree.detached, code)), isDeep);
  };
  const chart = { trace, scale, selected: cursor.call, onSelect: select };
  const shownCall = useDeferredValue(skeleton.ids[cursor.call] ?? '');
  return (
    <div className={classes.view}>
      <TraceHead trace={trace} facts={facts} now={now} onBack={onBack} actions={actions} />
      <TraceToolbar
        form={address.as}
        onForm={run.form}
        find={address.find}
        findField={findField}
        foundCount={found.length}
        foundPosition={found.indexOf(cursor.call) + 1}
        onFind={(text) => change({ find: text }, 'replace')}
        onFindStep={stepFound}
        errorCount={facts.errors.length}
        onErrorStep={run.error}
        isPathOn={isPathOn}
        onPath={() => setPathOn(!isPathOn)}
        isIdleFolded={layout.gaps.length > 0 ? isIdleFolded : undefined}
        onIdle={() => setIdleFolded(!isIdleFolded)}
        isZoomed={zoom !== undefined}
        onFit={run.fit}
        onKeys={() => setKeysShown(true)}
      />
      <div className={classes.body}>
        <div className={classes.left}>
          <Minimap
            trace={trace}
            scale={whole}
            zoom={zoom}
            onZoom={(wantedZoom) => change({ zoom: wantedZoom }, 'replace')}
          />
          {address.as === 'tree' && (
            <TraceTree
              trace={trace}
              rows={rows}
              folds={cursor.folds}
              scale={scale}
              now={now}
              cursor={cursor.code}
              path={path}
              found={foundSet}
              onSelect={select}
              onToggle={toggle}
            />
          )}
          {address.as === 'flame' && (
            <FlameView
              {...chart}
              path={path}
              found={foundSet}
              onZoomBy={(factor, around) => change({ zoom: zoomAround(whole, scale, factor, around) }, 'replace')}
            />
          )}
          {address.as === 'heavy' && <HeavyView {...chart} />}
          {isPhone && (
            <PhoneSheet trace={trace} call={cursor.call} now={now} isOpen={isSheetOpen} onOpen={setSheetOpen}>
              {detail(shownCall)}
            </PhoneSheet>
          )}
          <TraceFoot form={address.as} />
        </div>
        {!isPhone && <DetailPane>{detail(shownCall)}</DetailPane>}
      </div>
      {areKeysShown && <KeyList onClose={() => setKeysShown(false)} />}
    </div>
  );
}

function isGroupOpen(
  folds: { readonly runs: Uint8Array; readonly isDetachedOpen: boolean },
  detached: number,
  code: number,
): boolean {
  return code === detached ? folds.isDetachedOpen : folds.runs[-1 - code] === 1;
}

function focusDetail(): void {
  document.querySelector<HTMLElement>('aside[aria-label="Selected call"] [role="tab"][aria-selected="true"]')?.focus();
}
