import type { ReactElement } from 'react';
import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/signs/icon.tsx';
import { formatCount } from '../format/count.ts';
import { useIsGone } from '../shell/gone.ts';
import { useShownKeys } from '../shell/shown-key.ts';
import type { Waiting } from './list/use-waiting-count.ts';
import classes from './live-button.module.css';

export interface LiveButtonProps {
  readonly isOn: boolean;
  readonly isOpen: boolean;
  /** There is no list: its filter, or the list itself, cannot be read. @default false */
  readonly isIdle?: boolean;
  /** Absent: what comes while it is paused is not counted. */
  readonly waiting?: Waiting;
  readonly onToggle: () => void;
  readonly onShow?: () => void;
}

/** Whether new calls come in by themselves, and those that wait until one looks. */
export function LiveButton(props: LiveButtonProps): ReactElement {
  const { isOn, isIdle = false, waiting, onToggle, onShow } = props;
  const shown = useShownKeys();
  const isGone = useIsGone();
  const isOpen = props.isOpen && !isGone;
  const word = isOpen ? 'Live' : isIdle ? 'Not live' : 'Connecting';
  return (
    <span className={classes.group}>
      <Button
        icon={isOn ? 'live' : 'pause'}
        className={isOn && isOpen ? classes.on : undefined}
        title={`${isOn ? 'Pause' : 'Go on'}: ${shown('Mod+.')}`}
        onClick={onToggle}
      >
        {isOn ? word : 'Paused'}
      </Button>
      {waiting !== undefined && waiting.count > 0 && (
        <Button className={classes.waiting} title="Show them" onClick={onShow}>
          <span className="num">{waitingText(waiting)}</span>
          <Icon name="arrow-up" />
        </Button>
      )}
    </span>
  );
}

function waitingText({ count, isAtLeast }: Waiting): string {
  return `${formatCount(count)}${isAtLeast ? '+' : ''} new`;
}
