import type { ButtonHTMLAttributes, ReactElement, Ref } from 'react';
import { useShownKeys } from '../shell/shown-key.ts';
import classes from './button.module.css';
import { Icon, type IconName } from './signs/icon.tsx';
import { KeyCap } from './signs/key-cap.tsx';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon?: IconName;
  /** Without a border until it is pointed at. */
  readonly isGhost?: boolean;
  /** 24 px high instead of 28. */
  readonly isSmall?: boolean;
  /** The one thing to do; at most one on a page. */
  readonly isPrimary?: boolean;
  /** Opens something below it. */
  readonly hasMenu?: boolean;
  /** Its key, as the command has it by itself; shown behind the words. */
  readonly keyCap?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button(props: ButtonProps): ReactElement {
  const { icon, isGhost, isSmall, isPrimary, hasMenu, keyCap, className, children, ...rest } = props;
  const names = [
    classes.button,
    isGhost === true && classes.ghost,
    isSmall === true && classes.small,
    isPrimary === true && classes.primary,
    children === undefined && classes.square,
    className,
  ];
  return (
    <button type="button" {...rest} className={names.filter(Boolean).join(' ')}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
      {keyCap !== undefined && <KeyCap keys={keyCap} />}
      {hasMenu === true && <Icon name="chevron-down" />}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'aria-label' | 'title'> {
  readonly icon: IconName;
  /** Name of the button. */
  readonly label: string;
  /** Its key, as the command has it by itself; shown behind the name, in brackets. */
  readonly keys?: string;
}

/** A button that is only a sign: its name is said, and shown to who points at it. */
export function IconButton({ label, keys, ...rest }: IconButtonProps): ReactElement {
  const shown = useShownKeys();
  const title = keys === undefined ? label : `${label} (${shown(keys)})`;
  return <Button isGhost {...rest} title={title} aria-label={label} />;
}
