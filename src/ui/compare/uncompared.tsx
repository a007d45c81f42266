import type { ReactElement } from 'react';
import { Button } from '../controls/button.tsx';
import { Failure, Unread } from '../controls/failure.tsx';
import { Bone } from '../controls/signs/bones.tsx';
import { WaitingBars, WaitingWords } from '../controls/waiting.tsx';
import { countOf } from '../format/count.ts';
import { showControls } from '../json/show-controls.ts';
import { command } from '../shell/commands.ts';
import { useKeys } from '../shell/keys.ts';
import { askedSides, PREVIOUS } from './answer/find-sides.ts';
import type { MissingAnswer } from './answer/answer.ts';
import type { ComparePlace } from './compare-parts.ts';
import classes from './compare-page.module.css';

/** Widths of bars where calls will be. */
const BARS = [240, 200, 160, 220, 140, 180, 200, 150];

/** The page while both sides are read, where one of them is missing, and where they could not be read. */
export function Uncompared(place: ComparePlace): ReactElement {
  const { address, comparing, onBack, onSwap } = place;
  const { answer, error, count, isStopped, stop, again } = comparing;
  useKeys('Compare', [
    { ...command('Compare', 'x'), run: onSwap },
    { ...command('Compare', 'Escape'), run: onBack },
  ]);
  const isWaiting = error === null && answer === undefined;
  return (
    <>
      {error !== null && <Failure what="The calls could not be compared" error={error} onRetry={again} />}
      {answer?.state === 'missing' ? (
        <Missing answer={answer} asked={askedSides(address[0])} onBack={onBack} />
      ) : (
        <>
          <div className={classes.strip} />
          <div className={classes.words}>
            {isWaiting && (
              <WaitingWords
                what="both sides"
                count={count === 0 ? undefined : countOf(count, 'call')}
                isStopped={isStopped}
                onStop={stop}
                onGoOn={again}
              />
            )}
          </div>
          <div className={classes.columns} />
          {error !== null && <Unread what="Both sides" />}
          {isWaiting && (
            <WaitingBars isStopped={isStopped}>
              {BARS.map((width, line) => (
                <div key={`${line} ${width}`} className={classes.bones}>
                  <Bone width={width} />
                  <Bone width={width} />
                </div>
              ))}
            </WaitingBars>
          )}
        </>
      )}
    </>
  );
}

interface MissingProps extends Pick<ComparePlace, 'onBack'> {
  readonly answer: MissingAnswer;
  readonly asked: { readonly a: string; readonly b: string };
}

function Missing({ answer: { sides, isNoneBefore }, asked, onBack }: MissingProps): ReactElement {
  const missing = (['a', 'b'] as const).filter((side) => sides[side] === undefined);
  const known = sides.a ?? sides.b;
  return (
    <div className={classes.missing}>
      {isNoneBefore ? (
        <>
          <b>There is no run before this one</b>
          <p>No earlier trace of this project begins with {showControls(known?.op ?? 'its op')}.</p>
        </>
      ) : (
        <>
          <b>{missing.length === 2 ? 'Neither side is here' : `${missing[0] === 'a' ? 'A' : 'B'} is not here`}</b>
          {missing.map((side) => (
            <p key={side}>{wordsOf(asked[side])}</p>
          ))}
        </>
      )}
      <p>Choose another run above, or select two calls in the list.</p>
      <Button onClick={onBack}>Back to calls</Button>
    </div>
  );
}

function wordsOf(id: string): string {
  if (id === '') return 'The address names no call and no trace for this side.';
  if (id === PREVIOUS) return 'The run before the other side cannot be found without it.';
  return `No call and no trace of this project has the id ${showControls(id)}: it was deleted, is of another project, or is still on its way.`;
}
