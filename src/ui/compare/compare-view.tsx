import { type ReactElement, type RefObject, useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { PHONE, useMedia } from '../shell/use-media.ts';
import { useKeys } from '../shell/keys.ts';
import { AllVersions } from './all-versions.tsx';
import type { ComparedAnswer } from './answer/answer.ts';
import type { Comparer } from './answer/comparer.ts';
import { compareActions } from './compare-actions.ts';
import { compareBindings, FOOT_KEYS } from './compare-keys.ts';
import classes from './compare-page.module.css';
import type { ComparePlace } from './compare-parts.ts';
import { CompareToolbar } from './compare-toolbar.tsx';
import { DeltaStrip } from './head/delta-strip.tsx';
import { Failure } from '../controls/failure.tsx';
import { KeysFoot } from '../controls/foot/keys-foot.tsx';
import { OpTable } from './op-table.tsx';
import { usePairContents } from './pair/pair-body.tsx';
import { PairPane, PairWhole } from './pair/pair-pane.tsx';
import { PairSheet } from './pair/pair-sheet.tsx';
import { ComparedTree } from './tree/compared-tree.tsx';
import { pairTree } from './tree/pair-tree.ts';
import { openStateOf, visiblePairs } from './tree/visible-pairs.ts';
import { useComparedFocus } from './use-compared-focus.ts';
import { useVersionNumbers } from './use-comparison.ts';
import { useFoundPairs } from './use-found-pairs.ts';
import { usePairCursor } from './use-pair-cursor.ts';

export interface CompareViewProps extends ComparePlace {
  readonly answer: ComparedAnswer;
  readonly comparer: Comparer;
  /** Takes what goes to the next difference, for the head. */
  readonly step: RefObject<((by: 1 | -1) => void) | undefined>;
}

/** Two sides that were compared: why they differ, call by call, and what differs in the selected ones. */
export function CompareView(props: CompareViewProps): ReactElement {
  const { project, address, comparing, answer, comparer, onBack, onSwap, step, isFocusOwed } = props;
  const [state, change] = address;
  const { pairs, origins, sides } = answer;
  const isPhone = useMedia(PHONE);
  const findField = useRef<HTMLInputElement>(null);
  const tree = useMemo(() => pairTree(pairs, origins), [pairs, origins]);
  const cursor = usePairCursor(answer, tree, address);
  const view = useMemo(() => ({ toggled: cursor.toggled, isOnlyChanges: state.only }), [cursor.toggled, state.only]);
  const rows = useMemo(() => visiblePairs(pairs, tree, view), [pairs, tree, view]);
  const numbers = useVersionNumbers(project, comparer, pairs.causes);
  const { find, found } = useFoundPairs(pairs, {
    text: state.f,
    pair: cursor.pair,
    onText: (f) => change({ f }, { isReplacing: true }),
    onPair: (pair) => cursor.select(pair, 'replace'),
  });
  // Keys are faster than contents: those of pairs that one only passes are not asked for.
  const pair = useDeferredValue(cursor.pair);
  const contents = usePairContents(comparer, answer, pair);
  const run = compareActions({
    pairs,
    tree,
    rows,
    cursor,
    view,
    form: (as) => change({ as }),
    onlyChanges: () => change({ only: !state.only }, { isReplacing: true }),
    find: () => findField.current?.select(),
    swap: onSwap,
    back: onBack,
  });
  useKeys('Compare', compareBindings(run));
  useEffect(() => {
    step.current = run.difference;
  });
  const part = useComparedFocus(isFocusOwed);
  const { select: selectLine, toggle: toggleLine } = cursor;
  const select = useCallback((code: number): void => selectLine(code), [selectLine]);
  const toggle = useCallback(
    (code: number, isDeep: boolean): void => toggleLine(code, openStateOf(pairs, tree, view, code) === false, isDeep),
    [toggleLine, pairs, tree, view],
  );
  const showPair = (wanted: number): void => {
    cursor.select(wanted);
    if (state.as === 'code' || state.as === 'stats') change({ as: 'tree' }, { isReplacing: true });
  };
  const shown = { project, answer, comparer, numbers, pair, contents };
  const pane = { ...shown, tab: state.tab, onTab: (tab: string) => change({ tab }, { isReplacing: true }) };
  return (
    <div ref={part} className={classes.part}>
      {comparing.error !== null && (
        <Failure what="The calls could not be compared again" error={comparing.error} onRetry={comparing.again} />
      )}
      <DeltaStrip answer={answer} numbers={numbers} onPair={showPair} />
      <CompareToolbar
        form={state.as}
        onForm={run.form}
        find={find}
        findField={findField}
        differences={tree.differences.length}
        position={tree.differences.indexOf(cursor.code) + 1}
        onStep={run.difference}
        isOnlyChanges={state.only}
        onOnlyChanges={run.onlyChanges}
        same={pairs.kind.reduce((count, kind) => count + Number(kind === 0), 0)}
      />
      <div className={classes.body}>
        {state.as === 'tree' && (
          <>
            <ComparedTree
              sides={sides}
              pairs={pairs}
              tree={tree}
              numbers={numbers}
              rows={rows}
              view={view}
              cursor={cursor.code}
              found={found}
              wanted={state.f}
              onSelect={select}
              onToggle={toggle}
              actions={run}
            />
            {isPhone ? <PairSheet {...pane} /> : <PairPane {...pane} />}
          </>
        )}
        {state.as === 'io' && <PairWhole {...shown} />}
        {state.as === 'code' && <AllVersions project={project} answer={answer} comparer={comparer} />}
        {state.as === 'stats' && <OpTable pairs={pairs} />}
      </div>
      <KeysFoot keys={FOOT_KEYS} />
    </div>
  );
}
