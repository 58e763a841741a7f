import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookWithSecret } from '@/contract/webhook';
import { useTRPC } from '@/components/client/trpc';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { SecretOnce } from './SecretOnce';
import { WebhookCard } from './WebhookCard';
import { WebhookForm } from './WebhookForm';
import { bodyOf, EMPTY_DRAFT } from './webhook-draft';

/** The webhooks of a workflow. */
export function Webhooks({ workflowId }: { workflowId: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [fresh, setFresh] = useState<WebhookWithSecret>();
  const { data, error, refetch } = useQuery(
    trpc.webhooks.list.queryOptions({ params: { id: workflowId }, query: { limit: '100' } }),
  );
  const refresh = () => void queryClient.invalidateQueries({ queryKey: trpc.webhooks.list.queryKey() });
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({
      onSuccess: (webhook) => {
        setFresh(webhook);
        setDraft(EMPTY_DRAFT);
        refresh();
      },
    }),
  );
  return (
    <Stack gap="sm" component="section" aria-label="Webhooks">
      <Title order={4}>Webhooks</Title>
      <Text size="sm" c="dimmed">
        A webhook is a URL. Each verified request to it starts a run with the request as input.
      </Text>
      {error && <FailureNote title="The webhooks can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={70} />}
      {fresh?.secret !== undefined && (
        <SecretOnce webhook={fresh} secret={fresh.secret} onClose={() => setFresh(undefined)} />
      )}
      {data?.data.map((webhook) => (
        <WebhookCard key={webhook.id} webhook={webhook} onSecret={setFresh} onChange={refresh} />
      ))}
      <WebhookForm
        label="New webhook"
        action="Add webhook"
        draft={draft}
        isNew
        isBusy={create.isPending}
        error={create.error}
        onChange={setDraft}
        onSubmit={() => create.mutate({ params: { id: workflowId }, body: bodyOf(draft, true) })}
      />
    </Stack>
  );
}
