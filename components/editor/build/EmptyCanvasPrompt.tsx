import { Button, Group, Paper, TextInput } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { Panel } from '@xyflow/react';
import { useState } from 'react';
import { MAX_INSTRUCTION_LENGTH } from '@/contract/workflows/proposal-event';

/** Asks over an empty canvas what the workflow should do. The description is built at once. */
export function EmptyCanvasPrompt({ onBuild }: { onBuild(instruction: string): void }) {
  const [text, setText] = useState('');
  return (
    <Panel position="bottom-center">
      <Paper withBorder shadow="sm" p={8} w="min(560px, calc(100vw - 32px))">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== '') onBuild(text.trim());
          }}
        >
          <Group gap={8} wrap="nowrap">
            <TextInput
              flex={1}
              variant="unstyled"
              px={6}
              aria-label="Describe what should happen"
              placeholder="Describe what should happen …"
              maxLength={MAX_INSTRUCTION_LENGTH}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Button
              type="submit"
              size="compact-md"
              disabled={text.trim() === ''}
              leftSection={<IconSparkles size={16} aria-hidden />}
            >
              Build it
            </Button>
          </Group>
        </form>
      </Paper>
    </Panel>
  );
}
