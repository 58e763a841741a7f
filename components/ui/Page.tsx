import type { ReactNode } from 'react';
import classes from './Page.module.css';

/** A page that is read from top to bottom. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={classes.page}>{children}</div>;
}
