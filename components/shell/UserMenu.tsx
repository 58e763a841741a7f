import { Avatar, Menu, Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconCode, IconLogout, IconShieldLock } from '@tabler/icons-react';
import Link from 'next/link';
import { leave } from '../client/leave';
import classes from './Navigation.module.css';
import { ThemeItems } from './ThemeItems';
import { useMe } from './useMe';

export function UserMenu({ isNarrow }: { isNarrow: boolean }) {
  const { me } = useMe();
  if (!me) return <Skeleton h={46} />;
  const { name, email } = me.user;
  return (
    <Menu position="top-start" width={220}>
      <Menu.Target>
        <UnstyledButton className={classes.button}>
          <Avatar size={28} name={name} color="gray" aria-hidden />
          <VisuallyHidden>Account of {isNarrow && name}</VisuallyHidden>
          {!isNarrow && (
            <span className={classes.label}>
              {name}
              <span className={classes.small}>{email}</span>
            </span>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <ThemeItems />
        <Menu.Divider />
        <Menu.Item component={Link} href="/settings/security" leftSection={<IconShieldLock size={16} aria-hidden />}>
          Your security
        </Menu.Item>
        <Menu.Item component={Link} href="/docs/api" leftSection={<IconCode size={16} aria-hidden />}>
          API reference
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
