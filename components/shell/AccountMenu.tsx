import { Menu } from '@mantine/core';
import { IconBook, IconCode, IconLogout, IconShieldLock } from '@tabler/icons-react';
import { AppLink } from '@/components/ui/AppLink';
import { signOutToLogin } from '@/components/client/sign-out';
import { AnchoredMenu, type MenuAnchor } from '@/components/ui/AnchoredMenu';
import { ThemeItems } from './ThemeItems';

export function AccountMenu(place: MenuAnchor) {
  return (
    <AnchoredMenu {...place} position="top-start" width={220}>
      <ThemeItems />
      <Menu.Divider />
      <Menu.Item component={AppLink} href="/settings/security" leftSection={<IconShieldLock size={16} aria-hidden />}>
        Your security
      </Menu.Item>
      <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook size={16} aria-hidden />}>
        Documentation
      </Menu.Item>
      <Menu.Item component={AppLink} href="/docs/api" leftSection={<IconCode size={16} aria-hidden />}>
        API reference
      </Menu.Item>
      <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOutToLogin()}>
        Sign out
      </Menu.Item>
    </AnchoredMenu>
  );
}
