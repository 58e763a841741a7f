import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { WeftLogo } from '@/components/ui/art/WeftLogo';
import classes from './SignedOutFrame.module.css';
import { SignInArt } from './SignInArt';

/** The frame of the signed-out pages: the form and, on wide screens, a picture beside it. */
export function SignedOutFrame({ children }: { children: ReactNode }) {
  return (
    <div className={classes.root}>
      <main className={classes.form}>
        <div className={classes.inner}>
          <div className={classes.brand}>
            <WeftLogo size={34} />
            Weft
          </div>
          {children}
        </div>
      </main>
      <aside className={classes.cloth}>
        <SignInArt />
        <Text className={classes.motto}>Durable workflow automation. Runs resume after failures and restarts.</Text>
      </aside>
    </div>
  );
}
