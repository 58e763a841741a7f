import type { ReactNode } from 'react';
import classes from './EmptyState.module.css';

/** An empty state: picture, explanation and action. Plain HTML, because the error page on every route uses it. */
export function EmptyState({
  art,
  title,
  children,
  action,
  level: Heading = 'h2',
}: {
  art: ReactNode;
  title: string;
  children: ReactNode;
  action?: ReactNode;
  /** `h1` where it is the whole page. */
  level?: 'h1' | 'h2';
}) {
  return (
    <div className={classes.state}>
      {art}
      <Heading className={classes.title}>{title}</Heading>
      <div className={classes.words}>{children}</div>
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
