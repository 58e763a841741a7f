'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { useCan, type Right } from '@/components/client/useCan';
import { Page } from '@/components/ui/Page';
import { PageHeader } from '@/components/ui/PageHeader';
import classes from './SettingsFrame.module.css';

interface Place {
  label: string;
  path: string;
  /** Permission without which the page is hidden. */
  needs?: Right;
}

const PLACES: { heading: string; links: Place[] }[] = [
  {
    heading: 'Workspace',
    links: [
      { label: 'General', path: '/settings/workspace' },
      { label: 'Usage', path: '/settings/usage' },
      { label: 'Security policies', path: '/settings/policies' },
      { label: 'Runs and webhooks', path: '/settings/runs' },
      { label: 'Variables', path: '/settings/variables', needs: 'variable:read' },
      { label: 'Alerts', path: '/settings/alerts', needs: 'alert:read' },
      { label: 'Members', path: '/settings/members', needs: 'member:read' },
      { label: 'Roles', path: '/settings/roles', needs: 'role:read' },
      { label: 'API keys', path: '/settings/api-keys', needs: 'api_key:read' },
      { label: 'Single sign-on', path: '/settings/sso', needs: 'sso_provider:read' },
      { label: 'Audit log', path: '/settings/audit', needs: 'audit:read' },
    ],
  },
  { heading: 'Account', links: [{ label: 'Your security', path: '/settings/security' }] },
];

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
          {PLACES.map(({ heading, links }) => [
            <span key={heading} className={classes.heading}>
              {heading}
            </span>,
            ...links.filter(isOpen).map(({ label, path }) => (
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
