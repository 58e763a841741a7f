'use client';

import type { ReactNode } from 'react';
import classes from './ScrollingPage.module.css';
import { useIsHydrated } from '../useIsHydrated';

/** A page with a scrolling document. `aria-busy` until it is hydrated. */
export function ScrollingPage({ children }: { children: ReactNode }) {
  const isMounted = useIsHydrated();
  return (
    <div className={classes.page} aria-busy={!isMounted || undefined}>
      {children}
    </div>
  );
}
