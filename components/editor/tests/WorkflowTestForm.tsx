import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { WorkflowTestResponse } from '@/contract/workflows/workflow-test';
import { JsonField } from '@/components/forms/JsonField';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { StartNodeField } from '@/components/ui/start-nodes/StartNodeField';
import { useInitialStart } from '@/components/ui/start-nodes/start-choices';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { findTestError, EMPTY_TEST_ERRORS } from './test-errors';
import { ExpectationsField } from './ExpectationsField';
import { MocksField } from './MocksField';

interface Props {
  workflowId: string;
  /** Undefined: a new test. */
  test: WorkflowTestResponse | undefined;
  onClose(): void;
}

type WorkflowTestParts = Pick<WorkflowTestResponse, 'input' | 'mocks' | 'expectations'>;

const EMPTY_TEST_PARTS: WorkflowTestParts = { input: {}, mocks: {}, expectations: { status: 'completed', nodes: {} } };

const TEST_INPUT_SCHEMA = { title: 'Input', description: 'The input of the run: a JSON object.' };

/** Creates or changes a test. */
export function WorkflowTestForm({ workflowId: id, test, onClose }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [name, setName] = useState(test?.name ?? '');
  const [parts, setParts] = useState<WorkflowTestParts>(test ?? EMPTY_TEST_PARTS);
  const initialStart = useInitialStart();
  const [startNodeId, setStartNodeId] = useState(test ? test.startNodeId : initialStart);
  const onSuccess = async () => {
    await queryClient.invalidateQueries({ queryKey: trpc.workflowTests.list.queryKey() });
    onClose();
  };
  const create = useMutation(trpc.workflowTests.create.mutationOptions({ onSuccess }));
  const update = useMutation(trpc.workflowTests.update.mutationOptions({ onSuccess }));
  const { error, isPending } = test ? update : create;
  const { at, elsewhere } = splitFieldErrors(error, (field) =>
    /^(?:name|startNodeId|input|mocks|expectations)\b/.test(field),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { input, mocks, expectations } = parts;
    const body = { name, input, mocks, expectations, startNodeId };
    if (test) update.mutate({ params: { id, testId: test.id }, body });
    else create.mutate({ params: { id }, body });
  };
  const inputError = findTestError(at, 'input', []);
  const put = (part: keyof WorkflowTestParts) => (value: unknown) => setParts({ ...parts, [part]: value ?? {} });
  return (
    <Modal opened onClose={onClose} title={test ? 'Edit the test' : 'New test'} size="xl">
      <form onSubmit={submit}>
        <Stack>
          <FormErrorAlert>{elsewhere}</FormErrorAlert>
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
          <StartNodeField value={startNodeId} error={at.get('startNodeId')} onChange={setStartNodeId} />
          <JsonField
            name="input"
            schema={TEST_INPUT_SCHEMA}
            value={parts.input}
            isRequired
            path="input"
            errors={inputError === undefined ? EMPTY_TEST_ERRORS : new Map([['input', inputError]])}
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
