import { memo, type ReactNode } from 'react';
import { KindBox } from '../../controls/signs/kind-box.tsx';
import { Marked } from '../../controls/signs/marked.tsx';
import { StatusSign } from '../../controls/signs/status-sign.tsx';
import { formatCount } from '../../format/count.ts';
import { formatLatency } from '../../format/latency.ts';
import { showControls } from '../../json/show-controls.ts';
import { at } from '../../tree/numbers.ts';
import { DepthSign, type LinePlace, TreeLine, Twisty } from '../../tree/tree-line.tsx';
import type { CallColumns, PairTable } from '../answer/answer.ts';
import { PAIR_STATES } from '../answer/pair-kinds.ts';
import { CauseChip, toneOf } from '../cause-chip.tsx';
import { causeWords, type VersionNumbers } from '../cause-words.ts';
import { type ChangeWords, costChange, latencyChange } from '../change-words.ts';
import { moneyAt, timeAt } from '../known-numbers.ts';
import classes from './compared-tree.module.css';
import { kindAt, pairOfCode, type PairRun, type PairTree } from './pair-tree.ts';
import { runOfCode } from '../../tree/row-code.ts';

export interface PairRowProps extends LinePlace {
  readonly pairs: PairTable;
  readonly tree: PairTree;
  readonly numbers: VersionNumbers;
  /** Deeper lines are not moved further to the right. */
  readonly deepest: number;
  readonly isOpen: boolean | undefined;
  /** The words that are looked for, where the pair holds them; else empty. */
  readonly wanted: string;
  readonly onSelect: (code: number) => void;
  readonly onToggle: (code: number, isDeep: boolean) => void;
}

/** The two calls of a pair side by side, with why they differ between them. */
export const PairRow = memo(function PairRow(props: PairRowProps): ReactNode {
  const { pairs, tree, rows, row } = props;
  const code = at(rows.code, row);
  const pair = pairOfCode(tree, code);
  const run = runOfCode(code) === -1 ? undefined : tree.runs[runOfCode(code)];
  const kind = kindAt(pairs, pair);
  const isSame = kind === 'same' && (code < 0 || at(tree.differing, pair) === 0);
  return (
    <TreeLine
      {...props}
      className={isSame ? `${classes.row} ${classes.same}` : classes.row}
      style={{ ['--depth' as string]: Math.min(at(rows.depth, row), props.deepest) }}
    >
      <Side {...props} side="a" pair={pair} run={run} code={code} />
      <CauseCell pairs={pairs} tree={tree} numbers={props.numbers} pair={pair} />
      <Side {...props} side="b" pair={pair} run={run} code={code} />
      <Deltas pairs={pairs} pair={pair} run={run} tree={tree} />
    </TreeLine>
  );
});

type CellProps = PairRowProps & { readonly pair: number; readonly run: PairRun | undefined };

function CauseCell({ pairs, tree, numbers, pair }: Pick<CellProps, 'pairs' | 'tree' | 'numbers' | 'pair'>): ReactNode {
  const kind = kindAt(pairs, pair);
  const causes = at(tree.causesBelow, pair);
  // What comes of several changes below is told by how many these are.
  const isSummed = kind === 'output' && at(pairs.isOrigin, pair) === 0 && causes > 1;
  const [isMoved, isCut] = [at(pairs.isMoved, pair) === 1, at(pairs.isCut, pair) === 1];
  const cause = pairs.causes[at(pairs.cause, pair)];
  const words = isSummed ? `${formatCount(causes)} causes` : causeWords(kind, cause, numbers);
  return (
    <div role="gridcell" className={classes.cause}>
      {kind === 'same' ? (
        <span className={classes.equal}>
          <span aria-hidden="true">=</span>
          <span className="vh">alike</span>
          {isMoved && <small title="It stands at another place among its siblings">moved</small>}
          {isCut && <small title="Alike as far as they were recorded: a part of the values was cut">cut</small>}
        </span>
      ) : (
        <CauseChip tone={isSummed ? 'cause' : toneOf(kind, at(pairs.isOrigin, pair) === 1)} title={words}>
          {`${signOf(kind)} ${words}`}
        </CauseChip>
      )}
    </div>
  );
}

function signOf(kind: ReturnType<typeof kindAt>): string {
  if (kind === 'only_a') return '−';
  return kind === 'only_b' ? '+' : '≠';
}

interface SideProps extends CellProps {
  readonly side: 'a' | 'b';
  readonly code: number;
}

function Side(props: SideProps): ReactNode {
  const { pairs, side, pair, code, isOpen, onToggle } = props;
  const columns = pairs[side];
  const isHere = columns.ids[pair] !== '';
  const names = [classes.side, side === 'a' ? classes.a : classes.b, isHere ? undefined : classes.none];
  return (
    <div role="gridcell" className={names.filter(Boolean).join(' ')}>
      {isOpen !== undefined && (
        <Twisty isOpen={isOpen} className={classes.twisty} onToggle={(isDeep) => onToggle(code, isDeep)} />
      )}
      {isHere ? (
        <CallName {...props} columns={columns} />
      ) : (
        <span className={classes.ghost}>
          <span className="vh">not in {side.toUpperCase()}</span>
        </span>
      )}
    </div>
  );
}

type CallNameProps = SideProps & { readonly columns: CallColumns };

function CallName(props: CallNameProps): ReactNode {
  const { pairs, tree, rows, row, deepest, pair, run, code, columns, isOpen, wanted } = props;
  const state = PAIR_STATES[at(columns.state, pair)] ?? 'success';
  const name = showControls(pairs.texts[at(columns.name, pair)] ?? '');
  const model = pairs.texts[at(columns.model, pair)];
  const error = pairs.texts[at(columns.error, pair)];
  const depth = at(rows.depth, row);
  const below = isOpen === false && code >= 0 ? at(tree.size, pair) - 1 : 0;
  const times = run === undefined ? at(columns.durationMs, pair) : Number.NaN;
  return (
    <>
      <DepthSign depth={depth} deepest={deepest} />
      <KindBox kind={pairs.texts[at(pairs.opKind, pair)] ?? 'other'} />
      <span
        className={state === 'error' ? `${classes.name} ${classes.isError}` : classes.name}
        title={[name, model, error]
          .filter(Boolean)
          .map((text) => showControls(text ?? ''))
          .join('\n')}
      >
        <bdi>
          <Marked text={name} wanted={wanted} />
        </bdi>
        {model !== undefined && run === undefined && (
          <small>
            {' '}
            <Marked text={showControls(model)} wanted={wanted} />
          </small>
        )}
      </span>
      {run !== undefined && <span className={classes.count}>× {formatCount(run.count)}</span>}
      {below > 0 && <span className={classes.count}>+ {formatCount(below)}</span>}
      {state !== 'success' && run === undefined && (
        <span className={classes.state}>
          <StatusSign
            state={state === 'error' ? 'error' : 'running'}
            word={state === 'error' ? 'error' : 'no end yet'}
            isSignOnly
          />
        </span>
      )}
      {!Number.isNaN(times) && <span className={classes.time}>{formatLatency(times)}</span>}
    </>
  );
}

interface DeltasProps extends Pick<PairRowProps, 'pairs' | 'tree'> {
  readonly pair: number;
  readonly run: PairRun | undefined;
}

function Deltas({ pairs: { a, b }, tree, pair, run }: DeltasProps): ReactNode {
  const latency =
    run === undefined ? latencyChange(timeAt(a, pair), timeAt(b, pair)) : latencyOfRun({ a, b }, tree, run);
  const cost = run === undefined ? costChange(moneyAt(a, pair), moneyAt(b, pair)) : undefined;
  return (
    <>
      <div role="gridcell" className={classes.delta}>
        <Change change={latency} />
      </div>
      <div role="gridcell" className={`${classes.delta} ${classes.money}`}>
        <Change change={cost} />
      </div>
    </>
  );
}

function Change({ change }: { readonly change: ChangeWords | undefined }): ReactNode {
  return change && <span className={change.isWorse ? 'warn' : undefined}>{change.text}</span>;
}

/** Of all of its calls together: where one has no end, nobody knows. */
function latencyOfRun(
  { a, b }: Pick<PairTable, 'a' | 'b'>,
  { size }: PairTree,
  { first, last }: PairRun,
): ChangeWords | undefined {
  let [before, after] = [0, 0];
  for (let pair = first; pair <= last; pair += at(size, pair)) {
    before += timeAt(a, pair);
    after += timeAt(b, pair);
  }
  return latencyChange(before, after);
}
