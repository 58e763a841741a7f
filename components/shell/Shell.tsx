'use client';

import { Burger } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { usePathname } from 'next/navigation';
import { useEffect, type ReactNode } from 'react';
import { ApiClientProvider } from '@/components/client/ApiClientProvider';
import { GlobalCommands } from '@/components/command-palette/GlobalCommands';
import { WeftLogo } from '@/components/ui/art/WeftLogo';
import { ConnectionNotice } from './ConnectionNotice';
import { EnrolmentGate } from './EnrolmentGate';
import { Navigation } from './Navigation';
import { PendingWorkspaces } from './PendingWorkspaces';
import classes from './Shell.module.css';
import { VerifyNotice } from './VerifyNotice';
import { WorkspaceGate } from './WorkspaceGate';

/** Pages that need the full width: the navigation is reduced to icons. */
const isFullWidthPath = (path: string) => /^\/(workflows|executions)\/./.test(path);

/** The layout of all signed-in pages. */
export function Shell({ hasOutbox, children }: { hasOutbox: boolean; children: ReactNode }) {
  const path = usePathname();
  const isNarrow = isFullWidthPath(path);
  const [isOpen, { toggle, close }] = useDisclosure(false);
  useEffect(close, [path, close]);
  return (
    <ApiClientProvider>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <div className={classes.shell} data-narrow={isNarrow || undefined}>
        <header className={classes.header}>
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label="Menu" />
          <WeftLogo size={24} />
        </header>
        <aside aria-label="Navigation" className={classes.nav} data-open={isOpen || undefined}>
          <Navigation isNarrow={isNarrow && !isOpen} hasOutbox={hasOutbox} />
        </aside>
        <main id="main" tabIndex={-1} className={classes.main}>
          {!isNarrow && <PendingWorkspaces />}
          {!isNarrow && <VerifyNotice />}
          <EnrolmentGate>
            <WorkspaceGate>{children}</WorkspaceGate>
          </EnrolmentGate>
        </main>
      </div>
      <ConnectionNotice />
      <GlobalCommands />
    </ApiClientProvider>
  );
}
