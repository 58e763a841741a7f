import { Menu } from '@mantine/core';
import { AnchoredMenu, type MenuAnchor } from '@/components/ui/AnchoredMenu';
import type { EditorCommand } from './editor-command';
import { KeyCombination } from '@/components/ui/choosing/KeyCombination';

/** Those that have no button in the bar of narrow screens. */
const NARROW_SCREEN_COMMANDS = ['undo', 'redo', 'versions'];
const MORE_MENU_COMMANDS = [
  ...NARROW_SCREEN_COMMANDS,
  'bar',
  'tidy',
  'runs',
  'tests',
  'settings',
  'share',
  'export',
  'keys',
];

export function EditorMoreMenu({ commands, ...place }: MenuAnchor & { commands: EditorCommand[] }) {
  return (
    <AnchoredMenu {...place} position="bottom-end" width={250}>
      {commands
        .filter(({ id }) => MORE_MENU_COMMANDS.includes(id))
        .map(({ id, title, keys, applies, run }) => (
          <Menu.Item
            key={id}
            disabled={applies?.() === false}
            hiddenFrom={NARROW_SCREEN_COMMANDS.includes(id) ? 'md' : undefined}
            rightSection={keys?.[0] && <KeyCombination keys={keys[0]} />}
            onClick={run}
          >
            {title}
          </Menu.Item>
        ))}
    </AnchoredMenu>
  );
}
