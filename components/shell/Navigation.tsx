import { Stack, UnstyledButton } from '@mantine/core';
import {
  IconChartBar,
  IconHistory,
  IconKey,
  IconMailbox,
  IconPlugConnected,
  IconSchema,
  IconSettings,
  IconTable,
  type Icon,
} from '@tabler/icons-react';
import { AppLink } from '@/components/ui/AppLink';
import { usePathname } from 'next/navigation';
import { Fragment } from 'react';
import { WeftLogo } from '@/components/ui/art/WeftLogo';
import classes from './Navigation.module.css';
import { MAIN_PAGES, type NavigationPage } from '@/components/client/navigation-pages';
import { usePermissions } from '@/components/client/usePermissions';
import { FailureCount } from './FailureCount';
import { WaitingRunsLink } from './WaitingRunsLink';
import { UserMenu } from './UserMenu';
import { WorkspaceSwitcher } from './WorkspaceSwitcher';
import { LightTooltip } from '@/components/ui/LightTooltip';

const PAGE_ICONS: Record<string, Icon> = {
  '/dashboard': IconChartBar,
  '/workflows': IconSchema,
  '/executions': IconHistory,
  '/tables': IconTable,
  '/credentials': IconKey,
  '/connectors': IconPlugConnected,
  '/settings': IconSettings,
};
const OUTBOX_PAGE: NavigationPage = { label: 'Outbox', path: '/outbox' };

export function Navigation({ isNarrow, hasOutbox }: { isNarrow: boolean; hasOutbox: boolean }) {
  const current = usePathname();
  const can = usePermissions();
  const isOpen = ({ needs }: NavigationPage) => !needs || can(needs) !== 'none';
  return (
    <div className={classes.root} data-narrow={isNarrow || undefined}>
      <AppLink href="/workflows" className={classes.brand} aria-label="Weft, all workflows">
        <WeftLogo />
        {!isNarrow && <span>Weft</span>}
      </AppLink>
      <WorkspaceSwitcher isNarrow={isNarrow} />
      <Stack component="nav" aria-label="Main" gap={2} flex={1}>
        {[...MAIN_PAGES, ...(hasOutbox ? [OUTBOX_PAGE] : [])].filter(isOpen).map(({ label, path }) => {
          const Icon = PAGE_ICONS[path] ?? IconMailbox;
          return (
            <Fragment key={path}>
              <LightTooltip label={label} side="right" isOff={!isNarrow}>
                <UnstyledButton
                  component={AppLink}
                  href={path}
                  className={classes.link}
                  aria-current={current === path || current.startsWith(`${path}/`) ? 'page' : undefined}
                  aria-label={isNarrow ? label : undefined}
                >
                  <Icon size={19} stroke={1.7} aria-hidden />
                  {!isNarrow && label}
                  {!isNarrow && path === '/executions' && <FailureCount />}
                </UnstyledButton>
              </LightTooltip>
              {path === '/executions' && can('execution:resume') !== 'none' && <WaitingRunsLink isNarrow={isNarrow} />}
            </Fragment>
          );
        })}
      </Stack>
      <UserMenu isNarrow={isNarrow} />
    </div>
  );
}
