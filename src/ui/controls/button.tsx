import type { ButtonHTMLAttributes, ReactElement, Ref } from 'react';
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
  /** Shown behind the words. */
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
      {keyCap !== undefined && <KeyCap>{keyCap}</KeyCap>}
      {hasMenu === true && <Icon name="chevron-down" />}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'aria-label' | 'title'> {
  readonly icon: IconName;
  /** Name of the button; its key stands behind it in brackets: `Close (Esc)`. */
  readonly label: string;
}

/** A button that is only a sign: its name is said, and shown to who points at it. */
export function IconButton({ label, ...rest }: IconButtonProps): ReactElement {
  return <Button isGhost {...rest} title={label} aria-label={label.replace(/ \([^)]*\)$/, '')} />;
}
