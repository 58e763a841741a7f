import type { ReactNode } from 'react';
import type { StatusStyle } from './status-style';
import classes from './StatusBadge.module.css';

interface Props {
  look: StatusStyle;
  size?: 'sm' | 'md';
  /** Shown after the label. */
  children?: ReactNode;
}

export function StatusBadge({ look, size = 'md', children }: Props) {
  const Icon = look.icon;
  return (
    <span className={classes.badge} data-tone={look.tone} data-size={size}>
      <Icon
        size={size === 'sm' ? 12 : 14}
        stroke={2}
        aria-hidden
        className={look.isMoving ? classes.moving : undefined}
      />
      <span>
        {look.label}
        {children}
      </span>
    </span>
  );
}
