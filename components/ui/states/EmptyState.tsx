import type { ReactNode } from 'react';
import classes from './EmptyState.module.css';

/** An empty state: picture, explanation and action. Plain HTML, because the error page on every route uses it. */
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
