import { Button } from '@mantine/core';
import { IconChevronDown, IconPlayerPlay } from '@tabler/icons-react';
import { MenuButton } from '../ui/MenuButton';
import { RunMenu } from './parts';
import type { Commands } from './useCommands';

/** Runs what is on the canvas: saves first, and asks for the input where the start node wants some. */
export function RunButton({ commands }: { commands: Commands }) {
  return (
    <Button.Group>
      <Button
        data-tour="run"
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        loading={commands.isStarting}
        onClick={() => commands.do('run')}
      >
        Run
      </Button>
      <MenuButton menu={RunMenu} given={{ onInput: commands.askInput }}>
        <Button px={8} aria-label="More ways to run" style={{ borderLeft: '1px solid rgb(255 255 255 / 25%)' }}>
          <IconChevronDown size={16} aria-hidden />
        </Button>
      </MenuButton>
    </Button.Group>
  );
}
