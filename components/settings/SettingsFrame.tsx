'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { Page } from '../ui/Page';
import { PageHeader } from '../ui/PageHeader';
import classes from './SettingsFrame.module.css';

const PLACES = [
  {
    heading: 'Workspace',
    links: [
      { label: 'General', path: '/settings/workspace' },
      { label: 'Members', path: '/settings/members' },
      { label: 'Roles', path: '/settings/roles' },
      { label: 'API keys', path: '/settings/api-keys' },
      { label: 'Single sign-on', path: '/settings/sso' },
      { label: 'Audit log', path: '/settings/audit' },
    ],
  },
  { heading: 'You', links: [{ label: 'Your security', path: '/settings/security' }] },
];

/** The settings' own way around, beside each of them. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const current = usePathname();
  return (
    <Page>
      <PageHeader title="Settings" />
      <div className={classes.layout}>
        <nav className={classes.nav} aria-label="Settings">
          {PLACES.map(({ heading, links }) => [
            <span key={heading} className={classes.heading}>
              {heading}
            </span>,
            ...links.map(({ label, path }) => (
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
