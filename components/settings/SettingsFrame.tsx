'use client';

import { Link } from '@/components/ui/Link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { SETTINGS_PLACES, type Place } from '@/components/client/places';
import { useCan } from '@/components/client/useCan';
import { Page } from '@/components/ui/Page';
import { PageHeader } from '@/components/ui/PageHeader';
import classes from './SettingsFrame.module.css';

const HEADINGS = ['Workspace', 'Account'] as const;

/** Layout of the settings pages with their navigation. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const current = usePathname();
  const can = useCan();
  const isOpen = ({ needs }: Place) => !needs || can(needs) !== 'none';
  return (
    <Page>
      <PageHeader title="Settings" />
      <div className={classes.layout}>
        <nav className={classes.nav} aria-label="Settings">
          {HEADINGS.map((heading) => [
            <span key={heading} className={classes.heading}>
              {heading}
            </span>,
            ...SETTINGS_PLACES.filter((place) => place.heading === heading && isOpen(place)).map(({ label, path }) => (
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
