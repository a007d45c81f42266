import type { ReactElement } from 'react';
import { Button, IconButton } from '../../controls/button.tsx';
import { Menu } from '../../controls/menu.tsx';
import { useCopy } from '../../controls/use-copy.ts';
import { InPhoneBar, useHasPhoneBar } from '../../shell/phone-bar.tsx';
import { PHONE, useMedia } from '../../shell/use-media.ts';
import type { ShownSide, Sides } from '../answer/answer.ts';
import { askedSides } from '../answer/find-sides.ts';
import type { ComparePlace } from '../compare-parts.ts';
import classes from './compare-head.module.css';
import { asCommand, asProgram } from './copied-forms.ts';
import { SidePick } from './side-pick.tsx';

export interface CompareHeadProps extends ComparePlace {
  readonly sides: Partial<Sides<ShownSide>>;
  /** Something ran while it was read. */
  readonly isRunning?: boolean;
  /** Goes to the next difference, or back; absent: there are none yet. */
  readonly onStep?: ((step: 1 | -1) => void) | undefined;
}

/** Both sides, and what can be done with them. */
export function CompareHead(props: CompareHeadProps): ReactElement {
  const { project, sides, address, comparing, isRunning = false, onBack, onSwap, onStep } = props;
  const [state, change] = address;
  const { a, b } = askedSides(state);
  const hasBar = useHasPhoneBar();
  const isInBar = useMedia(PHONE) && hasBar;
  return (
    <header className={classes.head}>
      {isInBar ? (
        <InPhoneBar>
          <IconButton icon="back" label="Back to calls" onClick={onBack} />
          <b className="cut grow">Compare</b>
          <IconButton icon="chevron-up" label="Previous difference" disabled={!onStep} onClick={() => onStep?.(-1)} />
          <IconButton icon="chevron-down" label="Next difference" disabled={!onStep} onClick={() => onStep?.(1)} />
        </InPhoneBar>
      ) : (
        <IconButton isSmall icon="back" label="Back to calls" keys="Escape" onClick={onBack} />
      )}
      <h1 className={isInBar ? 'vh' : classes.name}>Compare</h1>
      <span className={classes.sideA}>
        <SidePick
          project={project}
          side="a"
          shown={sides.a}
          other={sides.b}
          asked={a}
          onChoose={(id) => change({ a: id, b: sides.b?.id ?? b, call: '' })}
        />
      </span>
      <IconButton
        icon="swap"
        label="Swap A and B"
        keys="x"
        className={classes.swap}
        disabled={comparing.answer?.state === 'missing'}
        onClick={onSwap}
      />
      <span className={classes.sideB}>
        <SidePick
          project={project}
          side="b"
          shown={sides.b}
          other={sides.a}
          asked={b}
          onChoose={(id) => change({ a: sides.a?.id ?? a, b: id, call: '' })}
        />
      </span>
      <span className={classes.rest} />
      {isRunning && (
        <Button title="A call had no end when it was read" onClick={comparing.again}>
          Compare again
        </Button>
      )}
      {sides.a !== undefined && sides.b !== undefined && (
        <CopyMenu project={project} sides={{ a: sides.a, b: sides.b }} />
      )}
    </header>
  );
}

interface CopyMenuProps {
  readonly project: string;
  readonly sides: Sides<ShownSide>;
}

/** The same for a terminal, a program and a colleague. */
function CopyMenu({ project, sides }: CopyMenuProps): ReactElement {
  const copy = useCopy();
  return (
    <Menu
      label="Copy as"
      align="end"
      button={{
        icon: 'copy',
        'aria-label': 'Copy as…',
        className: classes.copy,
        children: <span className="wide">Copy as…</span>,
      }}
      groups={[
        [
          { label: 'Link', icon: 'copy', onSelect: () => copy(location.href, 'Link copied') },
          {
            label: 'Command line',
            icon: 'terminal',
            onSelect: () => copy(asCommand(project, sides), 'Command line copied'),
          },
          { label: 'TypeScript', icon: 'ops', onSelect: () => copy(asProgram(project, sides), 'TypeScript copied') },
        ],
      ]}
    />
  );
}
