import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { JsonField } from '@/components/forms/JsonField';

interface Props {
  value: unknown;
  onKeep(value: unknown): void;
  onCancel(): void;
}

const EMPTY_PIN_ERRORS: ReadonlyMap<string, string> = new Map();

/** Edits the pinned output of a node. */
export function PinnedOutputEditor({ value: before, onKeep, onCancel }: Props) {
  const [value, setValue] = useState(before);
  return (
    <Stack gap="sm">
      <JsonField
        name="output"
        schema={{
          title: 'Pinned output',
          description:
            'Runs from the editor and previews of expressions use it. Everyone who edits this workflow sees it. Triggers never use it.',
        }}
        value={value}
        isRequired={false}
        path=""
        errors={EMPTY_PIN_ERRORS}
        onChange={setValue}
      />
      <Group gap="xs">
        <Button size="compact-sm" disabled={value === undefined} onClick={() => onKeep(value)}>
          Pin output
        </Button>
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
}
