import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { JsonField } from '@/components/forms/JsonField';
import { SchemaForm } from '@/components/forms/SchemaForm';
import type { FileValue } from '@/contract/file-value';
import { schemaExample, type FieldSchema } from '@/components/forms/model/field-schema';
import { RunFileUpload } from './RunFileUpload';
import { isNonArrayObject } from './sample-input';

interface Props {
  /** Input schema of the start node; undefined: any input. */
  schema: FieldSchema | undefined;
  /** The input to begin with. */
  sample: Record<string, unknown> | undefined;
  isStarting: boolean;
  onRun(input: Record<string, unknown>): void;
  onClose(): void;
}

const EMPTY_INPUT_ERRORS: ReadonlyMap<string, string> = new Map();

/**
 * The input with a file: in the first field of the schema that can hold one and is empty, else in `file`, `file2` and
 * so on.
 */
function addFileToInput(input: unknown, file: FileValue, schema: FieldSchema | undefined): Record<string, unknown> {
  const before = isNonArrayObject(input) ? input : {};
  const isFree = (name: string) => Object.keys(Object(before[name]) as object).length === 0;
  const fields = Object.entries(schema?.properties ?? {});
  const [field] = fields.find(([name, { type }]) => (type === 'object' || type === undefined) && isFree(name)) ?? [];
  let name = field ?? 'file';
  for (let number = 2; field === undefined && name in before; number += 1) name = `file${number}`;
  return { ...before, [name]: file };
}

/** Asks for the input of a run: a form if the start node has an input schema, otherwise JSON. */
export function RunDialog({ schema, sample, isStarting, onRun, onClose }: Props) {
  const [input, setInput] = useState<unknown>(() => sample ?? (schema ? schemaExample(schema) : {}));
  const isForm = schema?.properties !== undefined && isNonArrayObject(input);
  return (
    <Modal opened onClose={onClose} title="Run with input" size="lg">
      <Stack>
        <Text size="sm" c="dimmed">
          {isForm ? 'Enter the input of the workflow.' : 'The start node passes this JSON object on.'}
        </Text>
        {isForm ? (
          <SchemaForm schema={schema} value={input} errors={EMPTY_INPUT_ERRORS} onChange={setInput} />
        ) : (
          <JsonField
            name="input"
            schema={{ title: 'Input', description: '' }}
            value={input}
            isRequired={false}
            path=""
            errors={
              isNonArrayObject(input ?? {}) ? EMPTY_INPUT_ERRORS : new Map([['', 'The input must be a JSON object.']])
            }
            onChange={setInput}
          />
        )}
        <RunFileUpload onUploaded={(file) => setInput((before: unknown) => addFileToInput(before, file, schema))} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={isStarting}
            disabled={!isNonArrayObject(input ?? {})}
            onClick={() => onRun(isNonArrayObject(input) ? input : {})}
            data-autofocus
          >
            Run
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
