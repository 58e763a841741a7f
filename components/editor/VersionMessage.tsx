import { Button, Group, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { WorkflowVersion } from '@/contract/workflow';
import { sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { useDraft } from './draft';

/** A word about a version, so that it is found again. */
export function VersionMessage({ version: { version, message } }: { version: WorkflowVersion }) {
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
      onError: (error) => notifications.show({ color: 'madder', title: 'Not kept', message: sentence(error) }),
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
          aria-label="What this version is about"
          placeholder="What this version is about"
          w={280}
          maxLength={500}
          value={written}
          onChange={(event) => setWritten(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={describe.isPending} disabled={written.trim() === stored}>
          Keep
        </Button>
      </Group>
    </form>
  );
}
