import type { ReactNode } from 'react';
import classes from './EmptyState.module.css';

/**
 * What stands where there is nothing yet (or nothing found): a drawing, why, and the way on. Every page carries it, for
 * when it breaks, so it is plain HTML.
 */
export function EmptyState({
  art,
  title,
  children,
  action,
}: {
  art: ReactNode;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classes.state}>
      {art}
      <h2 className={classes.title}>{title}</h2>
      <div className={classes.words}>{children}</div>
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
