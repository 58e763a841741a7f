import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun, type Icon } from '@tabler/icons-react';

const COLOR_SCHEME_ITEMS: { scheme: MantineColorScheme; label: string; icon: Icon }[] = [
  { scheme: 'light', label: 'Light', icon: IconSun },
  { scheme: 'dark', label: 'Dark', icon: IconMoon },
  { scheme: 'auto', label: 'System', icon: IconDeviceDesktop },
];

/** Menu items for the colour scheme. */
export function ThemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>Appearance</Menu.Label>
      {COLOR_SCHEME_ITEMS.map(({ scheme, label, icon: Icon }) => (
        <Menu.Item
          key={scheme}
          closeMenuOnClick={false}
          leftSection={<Icon size={16} aria-hidden />}
          rightSection={scheme === colorScheme && <IconCheck size={16} aria-label="selected" />}
          onClick={() => setColorScheme(scheme)}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  );
}
