'use client';

import { NativeSelect } from '@mantine/core';
import { Link } from '@/components/ui/Link';
import { usePathname, useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { SETTINGS_PLACES, type Place } from '@/components/client/places';
import { useCan } from '@/components/client/useCan';
import { Page } from '@/components/ui/page/Page';
import { PageHeader } from '@/components/ui/page/PageHeader';
import classes from './SettingsFrame.module.css';

const HEADINGS = ['Workspace', 'Account'] as const;

/** Layout of the settings pages with their navigation: a list beside the page, on a phone a choice above it. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const current = usePathname();
  const can = useCan();
  const router = useRouter();
  const isOpen = ({ needs }: Place) => !needs || can(needs) !== 'none';
  const placesIn = (heading: (typeof HEADINGS)[number]) =>
    SETTINGS_PLACES.filter((place) => place.heading === heading && isOpen(place));
  return (
    <Page>
      <PageHeader title="Settings" />
      <div className={classes.layout}>
        <NativeSelect
          className={classes.choice}
          size="md"
          aria-label="Page of the settings"
          value={current}
          onChange={(event) => router.push(event.currentTarget.value)}
          data={HEADINGS.map((group) => ({
            group,
            items: placesIn(group).map(({ label, path }) => ({ label, value: path })),
          }))}
        />
        <nav className={classes.nav} aria-label="Settings">
          {HEADINGS.map((heading) => [
            <span key={heading} className={classes.heading}>
              {heading}
            </span>,
            ...placesIn(heading).map(({ label, path }) => (
              <Link
                key={path}
                href={path}
                className={classes.link}
                aria-current={path === current ? 'page' : undefined}
              >
                {label}
              </Link>
            )),
          ])}
        </nav>
        <div>{children}</div>
      </div>
    </Page>
  );
}
