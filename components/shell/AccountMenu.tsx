import { Menu } from '@mantine/core';
import { IconBook, IconCode, IconLogout, IconShieldLock } from '@tabler/icons-react';
import { Link } from '@/components/ui/Link';
import { leave } from '@/components/client/leave';
import { OpenMenu, type MenuPlace } from '@/components/ui/OpenMenu';
import { ThemeItems } from './ThemeItems';

export function AccountMenu(place: MenuPlace) {
  return (
    <OpenMenu {...place} position="top-start" width={220}>
      <ThemeItems />
      <Menu.Divider />
      <Menu.Item component={Link} href="/settings/security" leftSection={<IconShieldLock size={16} aria-hidden />}>
        Your security
      </Menu.Item>
      <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook size={16} aria-hidden />}>
        Documentation
      </Menu.Item>
      <Menu.Item component={Link} href="/docs/api" leftSection={<IconCode size={16} aria-hidden />}>
        API reference
      </Menu.Item>
      <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
        Sign out
      </Menu.Item>
    </OpenMenu>
  );
}
