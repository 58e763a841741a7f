import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookWithSecret } from '@/contract/triggers/webhook';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import type { TriggeredWorkflow } from '../kinds/kind';
import { NewWebhook } from './NewWebhook';
import { WebhookSecretNotice } from './WebhookSecretNotice';
import { WebhookCard } from './WebhookCard';

/** The webhooks of a workflow. */
export function WebhookList({ workflow: { id: workflowId, status } }: { workflow: TriggeredWorkflow }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [fresh, setFresh] = useState<WebhookWithSecret>();
  const { data, error, refetch } = useQuery(
    trpc.webhooks.list.queryOptions({ params: { id: workflowId }, query: { limit: '100' } }),
  );
  const refresh = () => void queryClient.invalidateQueries({ queryKey: trpc.webhooks.list.queryKey() });
  return (
    <Stack gap="sm" component="section" aria-label="Webhooks">
      <Title order={3} size="h4">
        Webhooks
      </Title>
      <Text size="sm" c="dimmed">
        A webhook is a URL. Each verified request to it starts a run with the request as input.
      </Text>
      {error && <RequestErrorAlert title="The webhooks can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={70} />}
      {fresh?.secret !== undefined && (
        <WebhookSecretNotice webhook={fresh} secret={fresh.secret} onClose={() => setFresh(undefined)} />
      )}
      {data?.data.map((webhook) => (
        <WebhookCard
          key={webhook.id}
          webhook={webhook}
          isWorkflowActive={status === 'active'}
          onSecret={setFresh}
          onChange={refresh}
        />
      ))}
      <NewWebhook workflowId={workflowId} onCreated={setFresh} />
    </Stack>
  );
}
