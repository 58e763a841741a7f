import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import type { LiveRun } from './live';

/** Records a finished run as a test of its workflow. */
export function RecordTest({ execution, onClose }: { execution: LiveRun; onClose(): void }) {
  const trpc = useTRPC();
  const [name, setName] = useState('');
  const create = useMutation(
    trpc.workflowTests.create.mutationOptions({
      onSuccess: () => {
        notifications.show({
          color: 'verdigris',
          title: 'Test recorded',
          message: 'The editor shows it under More, Tests.',
        });
        onClose();
      },
    }),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate({ params: { id: execution.workflowId }, body: { name, fromExecutionId: execution.id } });
  };
  return (
    <Modal opened onClose={onClose} title="Record a test">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            The test has the input of this run and what its nodes got from outside. It expects that each node ends as it
            did here, and the same output. You can change it in the editor.
          </Text>
          <TextInput
            label="Name"
            placeholder="A large order needs an approval"
            required
            data-autofocus
            maxLength={200}
            value={name}
            error={create.error && apiErrorSentence(create.error)}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
              Record
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
