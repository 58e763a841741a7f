'use client';

import { NativeSelect } from '@mantine/core';
import { AppLink } from '@/components/ui/AppLink';
import { usePathname, useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import type { NavigationPage } from '@/components/client/navigation-pages';
import { SETTINGS_PAGES } from '@/components/client/settings-pages';
import { usePermissions } from '@/components/client/usePermissions';
import { ScrollingPage } from '@/components/ui/page/ScrollingPage';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { PermittedPage } from '@/components/ui/states/PermittedPage';
import classes from './SettingsFrame.module.css';

const SETTINGS_HEADINGS = ['Workspace', 'Account'] as const;

/** Layout of the settings pages with their navigation: a list beside the page, on a phone a choice above it. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const current = usePathname();
  const can = usePermissions();
  const router = useRouter();
  const isOpen = ({ needs }: NavigationPage) => !needs || can(needs) !== 'none';
  const placesIn = (heading: (typeof SETTINGS_HEADINGS)[number]) =>
    SETTINGS_PAGES.filter((place) => place.heading === heading && isOpen(place));
  return (
    <ScrollingPage>
      <PageHeader title="Settings" />
      <div className={classes.layout}>
        <NativeSelect
          className={classes.choice}
          size="md"
          aria-label="Page of the settings"
          value={current}
          onChange={(event) => router.push(event.currentTarget.value)}
          data={SETTINGS_HEADINGS.map((group) => ({
            group,
            items: placesIn(group).map(({ label, path }) => ({ label, value: path })),
          }))}
        />
        <nav className={classes.nav} aria-label="Settings">
          {SETTINGS_HEADINGS.map((heading) => [
            <span key={heading} className={classes.heading}>
              {heading}
            </span>,
            ...placesIn(heading).map(({ label, path }) => (
              <AppLink
                key={path}
                href={path}
                className={classes.link}
                aria-current={path === current ? 'page' : undefined}
              >
                {label}
              </AppLink>
            )),
          ])}
        </nav>
        <div>
          <PermittedPage to={SETTINGS_PAGES.find(({ path }) => path === current)?.needs} level="h2">
            {children}
          </PermittedPage>
        </div>
      </div>
    </ScrollingPage>
  );
}
