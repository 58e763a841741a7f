'use client';

import type { ReactNode } from 'react';
import classes from './Page.module.css';
import { useMounted } from '../useMounted';

/** A page with a scrolling document. `aria-busy` until it is hydrated. */
export function Page({ children }: { children: ReactNode }) {
  const isMounted = useMounted();
  return (
    <div className={classes.page} aria-busy={!isMounted || undefined}>
      {children}
    </div>
  );
}
