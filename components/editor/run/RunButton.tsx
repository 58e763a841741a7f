import { Button } from '@mantine/core';
import { IconChevronDown, IconPlayerPlay } from '@tabler/icons-react';
import { MenuButton } from '@/components/ui/MenuButton';
import { LazyRunMenu } from '../lazy-components';
import type { CommandControls } from '../commands/useEditorCommands';

/** Saves and runs the workflow on the canvas. Asks for input if the start node has an input schema. */
export function RunButton({ commands }: { commands: CommandControls }) {
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
      <MenuButton menu={LazyRunMenu} menuProps={{ onInput: commands.askInput }}>
        <Button px={8} aria-label="Run options" style={{ borderLeft: '1px solid rgb(255 255 255 / 25%)' }}>
          <IconChevronDown size={16} aria-hidden />
        </Button>
      </MenuButton>
    </Button.Group>
  );
}
