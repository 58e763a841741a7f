import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { JsonField } from '../forms/JsonField';
import { SchemaForm } from '../forms/SchemaForm';
import { exampleOf, type Schema } from '../forms/schema';

interface Props {
  /** What the start node asks for; undefined: anything. */
  schema: Schema | undefined;
  isStarting: boolean;
  onRun(input: Record<string, unknown>): void;
  onClose(): void;
}

const NO_ERRORS: ReadonlyMap<string, string> = new Map();

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Asks for a run's input: a form where the start node says what it wants, else JSON. */
export function RunDialog({ schema, isStarting, onRun, onClose }: Props) {
  const [input, setInput] = useState<unknown>(() => (schema ? exampleOf(schema) : {}));
  const isForm = schema?.properties !== undefined && isRecord(input);
  return (
    <Modal opened onClose={onClose} title="Run with input" size="lg">
      <Stack>
        <Text size="sm" c="dimmed">
          {isForm ? 'This is what the workflow asks for.' : 'The JSON object that the start node passes on.'}
        </Text>
        {isForm ? (
          <SchemaForm schema={schema} value={input} errors={NO_ERRORS} onChange={setInput} />
        ) : (
          <JsonField
            name="input"
            schema={{ title: 'Input', description: '' }}
            value={input}
            isRequired={false}
            path=""
            errors={isRecord(input ?? {}) ? NO_ERRORS : new Map([['', 'The input must be a JSON object.']])}
            onChange={setInput}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={isStarting}
            disabled={!isRecord(input ?? {})}
            onClick={() => onRun(isRecord(input) ? input : {})}
            data-autofocus
          >
            Run
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
