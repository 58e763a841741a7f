import { Stack, Tooltip, UnstyledButton } from '@mantine/core';
import {
  IconHistory,
  IconKey,
  IconMailbox,
  IconPlugConnected,
  IconSchema,
  IconSettings,
  type Icon,
} from '@tabler/icons-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { Logo } from '../ui/Logo';
import classes from './Navigation.module.css';
import { UserMenu } from './UserMenu';
import { WorkspaceSwitcher } from './WorkspaceSwitcher';

const PLACES: { label: string; path: string; icon: Icon }[] = [
  { label: 'Workflows', path: '/workflows', icon: IconSchema },
  { label: 'Executions', path: '/executions', icon: IconHistory },
  { label: 'Credentials', path: '/credentials', icon: IconKey },
  { label: 'Connectors', path: '/connectors', icon: IconPlugConnected },
  { label: 'Settings', path: '/settings', icon: IconSettings },
];
const OUTBOX = { label: 'Outbox', path: '/outbox', icon: IconMailbox };

export function Navigation({ isNarrow, hasOutbox }: { isNarrow: boolean; hasOutbox: boolean }) {
  const current = usePathname();
  return (
    <div className={classes.root} data-narrow={isNarrow || undefined}>
      <Link href="/workflows" className={classes.brand} aria-label="Weft, all workflows">
        <Logo />
        {!isNarrow && <span>Weft</span>}
      </Link>
      <WorkspaceSwitcher isNarrow={isNarrow} />
      <Stack component="nav" aria-label="Main" gap={2} flex={1}>
        {[...PLACES, ...(hasOutbox ? [OUTBOX] : [])].map(({ label, path, icon: Icon }) => (
          <Tooltip key={path} label={label} position="right" disabled={!isNarrow}>
            <UnstyledButton
              component={Link}
              href={path}
              className={classes.link}
              aria-current={current === path || current.startsWith(`${path}/`) ? 'page' : undefined}
              aria-label={isNarrow ? label : undefined}
            >
              <Icon size={19} stroke={1.7} aria-hidden />
              {!isNarrow && label}
            </UnstyledButton>
          </Tooltip>
        ))}
      </Stack>
      <UserMenu isNarrow={isNarrow} />
    </div>
  );
}
