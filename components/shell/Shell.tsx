'use client';

import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { usePathname } from 'next/navigation';
import { useEffect, type ReactNode } from 'react';
import { Client } from '../client/Client';
import { Logo } from '../ui/Logo';
import { EnrolmentGate } from './EnrolmentGate';
import { Navigation } from './Navigation';
import classes from './Shell.module.css';

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
      <AppShell
        header={{ height: { base: 52, sm: 0 } }}
        navbar={{ width: isNarrow ? 64 : 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
        transitionDuration={0}
      >
        <AppShell.Header hiddenFrom="sm" className={classes.header}>
          <Group h="100%" px="sm" gap="xs">
            <Burger opened={isOpen} onClick={toggle} size="sm" aria-label="Menu" />
            <Logo size={24} />
          </Group>
        </AppShell.Header>
        <AppShell.Navbar className={classes.navbar}>
          <Navigation isNarrow={isNarrow && !isOpen} hasOutbox={hasOutbox} />
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
          <EnrolmentGate>{children}</EnrolmentGate>
        </AppShell.Main>
      </AppShell>
    </Client>
  );
}
