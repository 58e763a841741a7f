import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { WorkflowSummary } from '@/contract/workflows/workflow';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';

/** Deletes a workflow with its versions and runs, after the name is typed. */
export function DeleteWorkflow({ workflow, onClose }: { workflow: WorkflowSummary; onClose(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const remove = useMutation(
    trpc.workflows.delete.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries({ queryKey: trpc.workflows.list.queryKey() });
        onClose();
      },
    }),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    remove.mutate({ params: { id: workflow.id } });
  };
  return (
    <Modal opened onClose={onClose} title={`Delete “${workflow.name}”?`}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            This also deletes its versions, runs, webhooks, forms, chats, schedules and polls. You can’t undo this. Type
            the name of the workflow to confirm.
          </Text>
          <TextInput
            label="Name"
            required
            placeholder={workflow.name}
            data-autofocus
            value={typed}
            error={remove.error && apiErrorSentence(remove.error)}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              color="madder"
              loading={remove.isPending}
              disabled={typed.trim() !== workflow.name.trim()}
            >
              Delete
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
