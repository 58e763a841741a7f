import { Button } from '@mantine/core';
import { IconChevronDown, IconPlayerPlay } from '@tabler/icons-react';
import { use, useState } from 'react';
import { MenuButton } from '@/components/ui/MenuButton';
import { findRunStart, rememberRunStart, StartChoicesContext } from '@/components/ui/start-nodes/start-choices';
import { LazyRunMenu } from '../lazy-components';
import type { CommandControls } from '../commands/useEditorCommands';
import { useDraft } from '../draft/draft';

/**
 * Saves and runs the workflow on the canvas, from the start node that was chosen last. Asks for input if that has an
 * input schema.
 */
export function RunButton({ commands }: { commands: CommandControls }) {
  const starts = use(StartChoicesContext);
  const workflowId = useDraft((draft) => draft.saved.id);
  const [chosen, setChosen] = useState<string>();
  const current = starts.find(({ id }) => id === chosen) ?? findRunStart(workflowId, starts);
  const runFrom = (startNodeId: string) => {
    rememberRunStart(workflowId, startNodeId);
    setChosen(startNodeId);
    commands.do('run');
  };
  return (
    <Button.Group>
      <Button
        data-tour="run"
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        loading={commands.isStarting}
        title={starts.length > 1 && current ? `Begins at ${current.name}` : undefined}
        onClick={() => commands.do('run')}
      >
        Run
      </Button>
      <MenuButton
        menu={LazyRunMenu}
        menuProps={{
          starts: starts.length > 1 ? starts : [],
          startNodeId: current?.id,
          onStart: runFrom,
          onInput: commands.askInput,
        }}
      >
        <Button px={8} aria-label="Run options" style={{ borderLeft: '1px solid rgb(255 255 255 / 25%)' }}>
          <IconChevronDown size={16} aria-hidden />
        </Button>
      </MenuButton>
    </Button.Group>
  );
}
