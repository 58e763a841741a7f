import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconForms, IconPlayerPlay } from '@tabler/icons-react';
import type { Commands } from './useCommands';

/** Runs what is on the canvas: saves first, and asks for the input where the start node wants some. */
export function RunButton({ commands }: { commands: Commands }) {
  return (
    <Button.Group>
      <Button
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        loading={commands.isStarting}
        onClick={() => commands.do('run')}
      >
        Run
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button px={8} aria-label="More ways to run" style={{ borderLeft: '1px solid rgb(255 255 255 / 25%)' }}>
            <IconChevronDown size={16} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconForms size={16} aria-hidden />} onClick={commands.askInput}>
            Run with input …
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
}
