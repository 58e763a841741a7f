import { Button, Menu } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconChevronDown, IconForms, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schema } from '../forms/schema';
import { useDraft } from './draft';
import { RunDialog } from './RunDialog';
import { useRun } from './useRun';

/** Runs what is on the canvas: saves first, and asks for the input where the start node wants some. */
export function RunButton({ save, onStarted }: { save(): Promise<boolean>; onStarted(executionId: string): void }) {
  const workflowId = useDraft((draft) => draft.saved.id);
  const schema = useDraft(
    (draft) => draft.definition.nodes.find((node) => node.type === 'start')?.config.inputSchema,
  ) as Schema | undefined;
  const [isAsking, setAsking] = useState(false);
  const run = useRun((executionId) => {
    setAsking(false);
    onStarted(executionId);
  });
  const start = async (input: Record<string, unknown>) => {
    if (await save()) run.mutate({ params: { id: workflowId }, body: { input } });
  };
  const begin = () => (schema ? setAsking(true) : void start({}));
  useHotkeys([['mod+Enter', begin]], []);
  return (
    <Button.Group>
      <Button leftSection={<IconPlayerPlay size={17} aria-hidden />} loading={run.isPending} onClick={begin}>
        Run
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button px={8} aria-label="More ways to run" style={{ borderLeft: '1px solid rgb(255 255 255 / 25%)' }}>
            <IconChevronDown size={16} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconForms size={16} aria-hidden />} onClick={() => setAsking(true)}>
            Run with input …
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isAsking && (
        <RunDialog
          schema={schema}
          isStarting={run.isPending}
          onRun={(input) => void start(input)}
          onClose={() => setAsking(false)}
        />
      )}
    </Button.Group>
  );
}
