import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { WorkflowTest } from '@/contract/workflows/workflow-test';
import { JsonField } from '@/components/forms/JsonField';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { errorFor, NO_ERRORS } from './errors';
import { ExpectationsField } from './ExpectationsField';
import { MocksField } from './MocksField';

interface Props {
  workflowId: string;
  /** Undefined: a new test. */
  test: WorkflowTest | undefined;
  onClose(): void;
}

type Parts = Pick<WorkflowTest, 'input' | 'mocks' | 'expectations'>;

const NEW: Parts = { input: {}, mocks: {}, expectations: { status: 'completed', nodes: {} } };

const INPUT = { title: 'Input', description: 'The input of the run: a JSON object.' };

/** Creates or changes a test. */
export function TestForm({ workflowId: id, test, onClose }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [name, setName] = useState(test?.name ?? '');
  const [parts, setParts] = useState<Parts>(test ?? NEW);
  const onSuccess = async () => {
    await queryClient.invalidateQueries({ queryKey: trpc.workflowTests.list.queryKey() });
    onClose();
  };
  const create = useMutation(trpc.workflowTests.create.mutationOptions({ onSuccess }));
  const update = useMutation(trpc.workflowTests.update.mutationOptions({ onSuccess }));
  const { error, isPending } = test ? update : create;
  const { at, elsewhere } = fieldErrorsOf(error, (field) => /^(?:name|input|mocks|expectations)\b/.test(field));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { input, mocks, expectations } = parts;
    const body = { name, input, mocks, expectations };
    if (test) update.mutate({ params: { id, testId: test.id }, body });
    else create.mutate({ params: { id }, body });
  };
  const inputError = errorFor(at, 'input', []);
  const put = (part: keyof Parts) => (value: unknown) => setParts({ ...parts, [part]: value ?? {} });
  return (
    <Modal opened onClose={onClose} title={test ? 'Edit the test' : 'New test'} size="xl">
      <form onSubmit={submit}>
        <Stack>
          <ErrorNote>{elsewhere}</ErrorNote>
          <TextInput
            label="Name"
            placeholder="A large order needs an approval"
            required
            data-autofocus
            maxLength={200}
            value={name}
            error={at.get('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <JsonField
            name="input"
            schema={INPUT}
            value={parts.input}
            isRequired
            path="input"
            errors={inputError === undefined ? NO_ERRORS : new Map([['input', inputError]])}
            onChange={put('input')}
          />
          <MocksField value={parts.mocks} errors={at} onChange={put('mocks')} />
          <ExpectationsField value={parts.expectations} errors={at} onChange={put('expectations')} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending} disabled={name.trim() === ''}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
