import { Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { JsonField } from '@/components/forms/JsonField';

interface Props {
  input: unknown;
  isStarting: boolean;
  onRun(input: unknown): void;
  onClose(): void;
}

const EMPTY_RERUN_ERRORS: ReadonlyMap<string, string> = new Map();

/** Edits the input of a run before it runs again. */
export function RerunDialog({ input: before, isStarting, onRun, onClose }: Props) {
  const [input, setInput] = useState(before);
  return (
    <Modal opened onClose={onClose} title="Run again with other input" size="lg">
      <Stack>
        <JsonField
          name="input"
          schema={{ title: 'Input', description: 'The input of this run' }}
          value={input}
          isRequired={false}
          path=""
          errors={EMPTY_RERUN_ERRORS}
          onChange={setInput}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isStarting} onClick={() => onRun(input)}>
            Run again
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
