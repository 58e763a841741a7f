import { Menu } from '@mantine/core';
import { OpenMenu, type MenuPlace } from '@/components/ui/OpenMenu';
import type { Command } from './commands';
import { Keys } from '@/components/ui/choosing/Keys';

const OFFERED = ['bar', 'tidy', 'runs', 'tests', 'settings', 'share', 'export', 'keys'];

export function MoreMenu({ commands, ...place }: MenuPlace & { commands: Command[] }) {
  return (
    <OpenMenu {...place} position="bottom-end" width={250}>
      {commands
        .filter(({ id }) => OFFERED.includes(id))
        .map(({ id, title, keys, applies, run }) => (
          <Menu.Item
            key={id}
            disabled={applies?.() === false}
            rightSection={keys?.[0] && <Keys keys={keys[0]} />}
            onClick={run}
          >
            {title}
          </Menu.Item>
        ))}
    </OpenMenu>
  );
}
