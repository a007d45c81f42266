import type { ComponentProps, ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import styles from './parts.module.css';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title' | 'type'> {
  readonly icon: IconName;
  /** What it does, with its key: said to screen readers, and shown as a tooltip. */
  readonly label: string;
  readonly size?: 'small' | 'normal';
}

export function IconButton({ icon, label, size = 'small', className = '', ...rest }: IconButtonProps): ReactNode {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      title={label}
      className={`${styles['iconButton']} ${styles[size]} ${className}`}
    >
      <Icon name={icon} />
    </button>
  );
}
