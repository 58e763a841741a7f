import { Button, Group, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { WorkflowVersion } from '@/contract/workflows/workflow-version';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useDraft } from '../draft/draft';

/** Edits the message of a version, which is like a commit message. */
export function VersionMessageForm({ version: { version, message } }: { version: WorkflowVersion }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const id = useDraft((draft) => draft.saved.id);
  const [written, setWritten] = useState(message);
  const [stored, setStored] = useState(message);
  const describe = useMutation(
    trpc.versions.describe.mutationOptions({
      onSuccess: (described) => {
        setStored(described.message);
        void queryClient.invalidateQueries({ queryKey: trpc.versions.list.queryKey() });
      },
      onError: (error) => notifications.show({ color: 'madder', title: 'Not saved', message: apiErrorSentence(error) }),
    }),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    describe.mutate({ params: { id, version: String(version) }, body: { message: written.trim() } });
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          aria-label="Version message"
          placeholder="Version message"
          w={280}
          maxLength={500}
          value={written}
          onChange={(event) => setWritten(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={describe.isPending} disabled={written.trim() === stored}>
          Save
        </Button>
      </Group>
    </form>
  );
}
