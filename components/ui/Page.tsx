'use client';

import type { ReactNode } from 'react';
import classes from './Page.module.css';
import { useMounted } from './useMounted';

/** A page that is read from top to bottom. Until it is alive in the browser, it says that it is busy. */
export function Page({ children }: { children: ReactNode }) {
  const isMounted = useMounted();
  return (
    <div className={classes.page} aria-busy={!isMounted || undefined}>
      {children}
    </div>
  );
}
