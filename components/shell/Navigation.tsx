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
import { Link } from '@/components/ui/Link';
import { usePathname } from 'next/navigation';
import { Logo } from '@/components/ui/art/Logo';
import classes from './Navigation.module.css';
import { MAIN_PLACES, type Place } from '@/components/client/places';
import { useCan } from '@/components/client/useCan';
import { FailureCount } from './FailureCount';
import { UserMenu } from './UserMenu';
import { WorkspaceSwitcher } from './WorkspaceSwitcher';
import { Hint } from '@/components/ui/Hint';

const ICONS: Record<string, Icon> = {
  '/dashboard': IconChartBar,
  '/workflows': IconSchema,
  '/executions': IconHistory,
  '/tables': IconTable,
  '/credentials': IconKey,
  '/connectors': IconPlugConnected,
  '/settings': IconSettings,
};
const OUTBOX: Place = { label: 'Outbox', path: '/outbox' };

export function Navigation({ isNarrow, hasOutbox }: { isNarrow: boolean; hasOutbox: boolean }) {
  const current = usePathname();
  const can = useCan();
  const isOpen = ({ needs }: Place) => !needs || can(needs) !== 'none';
  return (
    <div className={classes.root} data-narrow={isNarrow || undefined}>
      <Link href="/workflows" className={classes.brand} aria-label="Weft, all workflows">
        <Logo />
        {!isNarrow && <span>Weft</span>}
      </Link>
      <WorkspaceSwitcher isNarrow={isNarrow} />
      <Stack component="nav" aria-label="Main" gap={2} flex={1}>
        {[...MAIN_PLACES, ...(hasOutbox ? [OUTBOX] : [])].filter(isOpen).map(({ label, path }) => {
          const Icon = ICONS[path] ?? IconMailbox;
          return (
            <Hint key={path} label={label} side="right" isOff={!isNarrow}>
              <UnstyledButton
                component={Link}
                href={path}
                className={classes.link}
                aria-current={current === path || current.startsWith(`${path}/`) ? 'page' : undefined}
                aria-label={isNarrow ? label : undefined}
              >
                <Icon size={19} stroke={1.7} aria-hidden />
                {!isNarrow && label}
                {!isNarrow && path === '/executions' && <FailureCount />}
              </UnstyledButton>
            </Hint>
          );
        })}
      </Stack>
      <UserMenu isNarrow={isNarrow} />
    </div>
  );
}
