import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { use, useState, type SubmitEvent } from 'react';
import { readApiError } from '@/components/client/api-error';
import { useWorkspaceLanguage } from '@/components/client/queries/useWorkspaceLanguage';
import { CurrentFolderContext } from '@/components/client/current-folder';
import { useTRPC } from '@/components/client/trpc';
import { emptyWorkflowBody } from './useCreateWorkflow';

export function CreateWorkflow({ onClose }: { onClose(): void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const language = useWorkspaceLanguage();
  const folderId = use(CurrentFolderContext);
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const create = useMutation(
    trpc.workflows.create.mutationOptions({
      onSuccess: ({ id }) => {
        void queryClient.invalidateQueries({ queryKey: trpc.workflows.list.queryKey() });
        router.push(`/workflows/${id}`);
      },
    }),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate({ body: { ...emptyWorkflowBody(language, name.trim(), description.trim()), folderId } });
  };
  const problem = create.error && readApiError(create.error);
  return (
    <Modal opened onClose={onClose} title="New workflow">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name"
            placeholder="Welcome new customers"
            required
            maxLength={200}
            data-autofocus
            value={name}
            error={problem && (problem.details.find(({ field }) => field === 'name')?.message ?? problem.message)}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Textarea
            label="Description"
            placeholder="What it is for (optional)"
            autosize
            minRows={2}
            maxRows={6}
            maxLength={10_000}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending || create.isSuccess} disabled={name.trim() === ''}>
              Create
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
