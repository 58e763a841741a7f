import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { enterWorkspace } from './enter-workspace';

/** Creates a workspace and opens it. */
export function CreateWorkspace({ onClose }: { onClose(): void }) {
  const trpc = useTRPC();
  const [name, setName] = useState('');
  const create = useMutation(
    trpc.workspaces.create.mutationOptions({ onSuccess: ({ id }) => enterWorkspace(id, '/workflows') }),
  );
  const { at, elsewhere } = splitFieldErrors(create.error, (field) => field === 'name');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate({ body: { name: name.trim() } });
  };
  return (
    <Modal opened onClose={onClose} title="New workspace">
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormErrorAlert>{elsewhere}</FormErrorAlert>
          <Text size="sm" c="dimmed">
            A workspace has its own workflows, credentials and members. You become its owner.
          </Text>
          <TextInput
            label="Name"
            required
            data-autofocus
            maxLength={200}
            value={name}
            error={at.get('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending || create.isSuccess} disabled={name.trim() === ''}>
              Create workspace
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
