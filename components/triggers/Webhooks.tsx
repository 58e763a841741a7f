import { Button, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { WebhookWithSecret } from '@/contract/webhook';
import { problemOf } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { FailureNote } from '../ui/FailureNote';
import { SecretOnce } from './SecretOnce';
import { WebhookCard } from './WebhookCard';

/** Addresses that start the workflow when somebody calls them with a signature. */
export function Webhooks({ workflowId }: { workflowId: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [path, setPath] = useState('');
  const [fresh, setFresh] = useState<WebhookWithSecret>();
  const { data, error, refetch } = useQuery(
    trpc.webhooks.list.queryOptions({ params: { id: workflowId }, query: { limit: '100' } }),
  );
  const refresh = () => void queryClient.invalidateQueries({ queryKey: trpc.webhooks.list.queryKey() });
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({
      onSuccess: (webhook) => {
        setFresh(webhook);
        setPath('');
        refresh();
      },
    }),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate({ params: { id: workflowId }, body: { path: path.trim() } });
  };
  const problem = create.error && problemOf(create.error);
  return (
    <Stack gap="sm" component="section" aria-label="Webhooks">
      <Title order={4}>Webhooks</Title>
      <Text size="sm" c="dimmed">
        An address that starts a run with what is sent to it. Callers sign with a secret.
      </Text>
      {error && <FailureNote title="The webhooks can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={70} />}
      {fresh && <SecretOnce webhook={fresh} onClose={() => setFresh(undefined)} />}
      {data?.data.map((webhook) => (
        <WebhookCard key={webhook.id} webhook={webhook} onSecret={setFresh} onChange={refresh} />
      ))}
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label="Path"
            placeholder="orders/new"
            maxLength={100}
            value={path}
            error={problem && (problem.details.find(({ field }) => field === 'path')?.message ?? problem.message)}
            onChange={(event) => setPath(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={create.isPending} disabled={path.trim() === ''}>
            Add webhook
          </Button>
        </Group>
      </form>
    </Stack>
  );
}
