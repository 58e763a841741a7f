'use client';

import { Burger } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { usePathname } from 'next/navigation';
import { useEffect, type ReactNode } from 'react';
import { Client } from '../client/Client';
import { Logo } from '../ui/Logo';
import { EnrolmentGate } from './EnrolmentGate';
import { Navigation } from './Navigation';
import classes from './Shell.module.css';
import { WorkspaceGate } from './WorkspaceGate';

/** Pages that need the width: there the navigation shrinks to its icons. */
const isWorkbench = (path: string) => /^\/(workflows|executions)\/./.test(path);

/** The frame of every page behind the sign-in. */
export function Shell({ hasOutbox, children }: { hasOutbox: boolean; children: ReactNode }) {
  const path = usePathname();
  const isNarrow = isWorkbench(path);
  const [isOpen, { toggle, close }] = useDisclosure(false);
  useEffect(close, [path, close]);
  return (
    <Client>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <div className={classes.shell} data-narrow={isNarrow || undefined}>
        <header className={classes.header}>
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label="Menu" />
          <Logo size={24} />
        </header>
        <div className={classes.nav} data-open={isOpen || undefined}>
          <Navigation isNarrow={isNarrow && !isOpen} hasOutbox={hasOutbox} />
        </div>
        <main id="main" tabIndex={-1} className={classes.main}>
          <EnrolmentGate>
            <WorkspaceGate>{children}</WorkspaceGate>
          </EnrolmentGate>
        </main>
      </div>
    </Client>
  );
}
