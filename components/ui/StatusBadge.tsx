import type { Look } from './status';
import classes from './StatusBadge.module.css';

export function StatusBadge({ look, size = 'md' }: { look: Look; size?: 'sm' | 'md' }) {
  const Icon = look.icon;
  return (
    <span className={classes.badge} data-tone={look.tone} data-size={size}>
      <Icon
        size={size === 'sm' ? 12 : 14}
        stroke={2}
        aria-hidden
        className={look.isMoving ? classes.moving : undefined}
      />
      {look.label}
    </span>
  );
}
