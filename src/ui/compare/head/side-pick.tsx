import type { ReactElement } from 'react';
import { Popover } from '../../controls/popover.tsx';
import { formatInstant, formatTime } from '../../format/time.ts';
import { showControls } from '../../json/show-controls.ts';
import type { ShownSide } from '../answer/answer.ts';
import { PREVIOUS } from '../answer/find-sides.ts';
import { RunList } from './run-list.tsx';
import { SideMark } from './side-mark.tsx';
import classes from './side-pick.module.css';

export interface SidePickProps {
  readonly project: string;
  readonly side: 'a' | 'b';
  /** Absent: it is being looked for, or is not here. */
  readonly shown: ShownSide | undefined;
  readonly other: ShownSide | undefined;
  /** As the address names it. */
  readonly asked: string;
  readonly onChoose: (id: string) => void;
}

/** One side: when it ran, and others that could stand there. */
export function SidePick({ project, side, shown, other, asked, onChoose }: SidePickProps): ReactElement {
  const letter = side.toUpperCase();
  return (
    <Popover
      role="dialog"
      label={`Side ${letter}`}
      button={{
        className: classes.pick,
        hasMenu: true,
        title: shown && `${showControls(shown.name)}, ${formatInstant(shown.startedAt)}; choose another`,
        children: (
          <>
            <SideMark side={side} />
            {shown === undefined ? (
              <span className={`muted cut ${classes.words}`}>{wordsOf(asked)}</span>
            ) : (
              <>
                <span className="num">{formatTime(shown.startedAt, Date.now())}</span>
                <span className={`muted cut ${classes.words}`}>{showControls(shown.name)}</span>
              </>
            )}
          </>
        ),
      }}
    >
      {(close) => (
        <RunList
          project={project}
          side={side}
          shown={shown}
          other={other}
          onChoose={(id) => {
            close();
            onChoose(id);
          }}
        />
      )}
    </Popover>
  );
}

function wordsOf(asked: string): string {
  if (asked === PREVIOUS) return 'the run before';
  return asked === '' ? 'nothing yet' : showControls(asked);
}
