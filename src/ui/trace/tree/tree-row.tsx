import { modelOf } from '../layout/model-of.ts';
import { formatCount } from '../../format/count.ts';
import type { Cost } from '../../format/cost.ts';
import { memo, type ReactNode } from 'react';
import { CostSign } from '../../controls/signs/cost-sign.tsx';
import { KindBox } from '../../controls/signs/kind-box.tsx';
import { Marked } from '../../controls/signs/marked.tsx';
import { CallLane, LABEL_ROOM, RunLane } from './lane.tsx';
import { at } from '../../tree/numbers.ts';
import { CallState } from '../layout/skeleton.ts';
import type { TimeScale } from '../layout/time-scale.ts';
import { unpricedCalls } from '../layout/unpriced.ts';
import { runOfCode } from '../../tree/row-code.ts';
import { DepthSign, type LinePlace, TreeLine, Twisty } from '../../tree/tree-line.tsx';
import { showControls } from '../../json/show-controls.ts';
import { callKind, callName, foundBeside, runLabel } from './row-text.ts';
import { StateSign } from './state-sign.tsx';
import type { TreeColumns } from './tree-columns.ts';
import type { LaidOutTrace } from '../use-trace-layout.ts';
import classes from './trace-tree.module.css';

export interface TreeRowProps extends LinePlace {
  readonly trace: LaidOutTrace;
  readonly columns: TreeColumns;
  readonly scale: TimeScale;
  readonly laneWidth: number;
  readonly now: number;
  readonly isOpen: boolean | undefined;
  readonly isDimmed: boolean;
  /** The words that are looked for, where the call holds them; else empty. */
  readonly wanted: string;
  readonly onSelect: (code: number) => void;
  readonly onToggle: (code: number, isDeep: boolean) => void;
}

export const TreeRow = memo(function TreeRow(props: TreeRowProps): ReactNode {
  const code = at(props.rows.code, props.row);
  return (
    <TreeLine {...props} className={props.isDimmed ? `${classes.row} ${classes.dimmed}` : classes.row}>
      <NameCell {...props} code={code} />
      <CostCell trace={props.trace} code={code} />
      <div role="gridcell" className={classes.lane} style={{ marginRight: LABEL_ROOM + 16 }}>
        <RowLane {...props} code={code} />
      </div>
    </TreeLine>
  );
});

type CellProps = TreeRowProps & { readonly code: number };

function NameCell({ trace, rows, row, columns, isOpen, wanted, onToggle, code }: CellProps): ReactNode {
  const depth = at(rows.depth, row);
  const shown = Math.min(depth, columns.deepest);
  return (
    <div
      role="gridcell"
      className={classes.name}
      style={{ paddingLeft: 12 + shown * columns.indent, ['--guides' as string]: `${shown * columns.indent}px` }}
    >
      <Twisty isOpen={isOpen} className={classes.twisty} onToggle={(isDeep) => onToggle(code, isDeep)} />
      <DepthSign depth={depth} deepest={columns.deepest} />
      <RowName trace={trace} code={code} isOpen={isOpen} wanted={wanted} />
    </div>
  );
}

interface RowNameProps {
  readonly trace: LaidOutTrace;
  readonly code: number;
  readonly isOpen: boolean | undefined;
  readonly wanted: string;
}

function RowName({ trace, code, isOpen, wanted }: RowNameProps): ReactNode {
  const run = runOfCode(code);
  if (run >= 0) return <RunName trace={trace} run={run} />;
  if (code === trace.layout.tree.detached) return <DetachedName trace={trace} />;
  return <CallName trace={trace} call={code} isOpen={isOpen} wanted={wanted} />;
}

function CallName({
  trace: { skeleton, layout },
  call,
  isOpen,
  wanted,
}: Omit<RowNameProps, 'code'> & { readonly call: number }): ReactNode {
  const state = at(skeleton.states, call);
  const name = callName(skeleton, call);
  const model = modelOf(skeleton, call);
  const below = at(layout.tree.size, call) - 1;
  const errors = at(layout.errorsBelow, call);
  const error = skeleton.errors.get(call);
  const beside = foundBeside(skeleton, call, wanted);
  return (
    <>
      <KindBox kind={callKind(skeleton, call)} />
      <span
        className={`${classes.text} ${state === CallState.error ? classes.isError : ''}`}
        title={[name, model, error].filter(Boolean).join('\n')}
      >
        <Marked text={name} wanted={wanted} />
        {model && (
          <span className={classes.model}>
            {' '}
            <Marked text={model} wanted={wanted} />
          </span>
        )}
      </span>
      {beside !== undefined && (
        <span className={classes.beside}>
          <Marked text={showControls(beside)} wanted={wanted} />
        </span>
      )}
      {isOpen === false && <span className={classes.count}>+ {formatCount(below)}</span>}
      <StateSign state={state} />
      {isOpen === false && errors > 0 && <ErrorCount count={errors} />}
      {at(layout.times.isSkewed, call) === 1 && (
        <span className={classes.skew} title="Starts before its parent: a clock is wrong. Shown in order of cause.">
          clock skew
        </span>
      )}
    </>
  );
}

function RunName({
  trace: { skeleton, layout },
  run,
}: {
  readonly trace: LaidOutTrace;
  readonly run: number;
}): ReactNode {
  const first = at(layout.repeats.first, run);
  const errors = at(layout.repeats.errors, run);
  const name = skeleton.ops[at(skeleton.op, first)]?.name;
  return (
    <>
      <KindBox kind={callKind(skeleton, first)} />
      <span className={classes.text} title={[name, runLabel(layout, run).more].filter(Boolean).join('\n')}>
        {name}
      </span>
      <span className={classes.count}>× {formatCount(at(layout.repeats.length, run))}</span>
      {errors > 0 && <ErrorCount count={errors} />}
    </>
  );
}

function ErrorCount({ count }: { readonly count: number }): ReactNode {
  return (
    <span className={classes.errors} role="img" aria-label={`${formatCount(count)} failed`}>
      {formatCount(count)}
    </span>
  );
}

function DetachedName({ trace }: { readonly trace: LaidOutTrace }): ReactNode {
  const { tree } = trace.layout;
  return (
    <>
      <span className={classes.text} title="Their parents were not received, or name themselves as parents">
        Detached
      </span>
      <span className={`${classes.count} ${classes.yields}`}>
        × {formatCount(at(tree.childCount, tree.detached))} without parent
      </span>
    </>
  );
}

function RowLane({ code, laneWidth, trace, scale, now }: CellProps): ReactNode {
  const lane = { trace, scale, now, width: laneWidth };
  const run = runOfCode(code);
  if (run >= 0) return <RunLane {...lane} run={run} />;
  return code < trace.layout.tree.count ? <CallLane {...lane} call={code} /> : undefined;
}

function CostCell({ trace, code }: Pick<CellProps, 'trace' | 'code'>): ReactNode {
  const { usd, isUnpriced } = costOfRow(trace, code);
  return (
    <div role="gridcell" className={classes.cost}>
      <CostSign usd={usd} unpriced={isUnpriced} />
    </div>
  );
}

function costOfRow({ skeleton, layout: { repeats, tree } }: LaidOutTrace, code: number): Cost {
  const run = runOfCode(code);
  const unpriced = unpricedCalls(skeleton, tree);
  const calls = run >= 0 ? callsOfRun(repeats, tree, run) : code < skeleton.count ? [code] : [];
  let [usd, isUnpriced]: [number | null, boolean] = [null, false];
  for (const call of calls) {
    const own = at(skeleton.costs, call);
    if (!Number.isNaN(own)) usd = (usd ?? 0) + own;
    isUnpriced ||= at(unpriced, call) === 1;
  }
  return { usd, isUnpriced };
}

function* callsOfRun(
  { first, last }: LaidOutTrace['layout']['repeats'],
  { nextSibling }: LaidOutTrace['layout']['tree'],
  run: number,
): Generator<number> {
  for (let call = at(first, run); ; call = at(nextSibling, call)) {
    yield call;
    if (call === at(last, run)) return;
  }
}
