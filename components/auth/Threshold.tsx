import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from '../ui/Logo';
import classes from './Threshold.module.css';
import { WeaveArt } from './WeaveArt';

/** The frame of the pages before the sign-in: the form, and on wide screens a piece of cloth beside it. */
export function Threshold({ children }: { children: ReactNode }) {
  return (
    <div className={classes.root}>
      <main className={classes.form}>
        <div className={classes.inner}>
          <div className={classes.brand}>
            <Logo size={34} />
            Weft
          </div>
          {children}
        </div>
      </main>
      <aside className={classes.cloth}>
        <WeaveArt />
        <Text className={classes.motto}>Workflows that run to their end, whatever happens on the way.</Text>
      </aside>
    </div>
  );
}
