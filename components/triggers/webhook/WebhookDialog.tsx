import { Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookWithSecret } from '@/contract/triggers/webhook';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import type { TriggerDialogProps } from '../kinds/kind';
import { TRIGGER_LIST_QUERY } from '../kinds/state';
import { NewWebhook } from './NewWebhook';
import { WebhookSecretNotice } from './WebhookSecretNotice';
import { WebhookCard } from './WebhookCard';

/** While a subscription is about to be made, its state is asked for. */
const SUBSCRIPTION_REFRESH_MS = 2000;

/** A webhook with its settings and deliveries, or the form of a new one, which then shows it with its secret. */
export function WebhookDialog({ workflow, id, preset, onClose }: TriggerDialogProps) {
  const { id: workflowId, status } = workflow;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [fresh, setFresh] = useState<WebhookWithSecret>();
  const shownId = id ?? fresh?.id;
  const { data, error, refetch } = useQuery(
    trpc.webhooks.list.queryOptions(
      { params: { id: workflowId }, query: TRIGGER_LIST_QUERY },
      {
        enabled: shownId !== undefined,
        refetchInterval: ({ state }) =>
          state.data?.data.some((one) => one.id === shownId && one.subscription?.status === 'waiting')
            ? SUBSCRIPTION_REFRESH_MS
            : false,
      },
    ),
  );
  const webhook = data?.data.find((one) => one.id === shownId) ?? (fresh?.id === shownId ? fresh : undefined);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: trpc.webhooks.list.queryKey() });
  return (
    <Modal opened onClose={onClose} title={shownId === undefined ? 'New webhook' : 'Webhook'} size="lg">
      <Stack gap="sm">
        {shownId === undefined && (
          <>
            <Text size="sm" c="dimmed">
              A webhook is a URL. Each verified request to it starts a run with the request as input.
            </Text>
            <NewWebhook workflowId={workflowId} preset={preset?.webhook} onCreated={setFresh} onCancel={onClose} />
          </>
        )}
        {shownId !== undefined && error && (
          <RequestErrorAlert title="The webhook can’t be shown" error={error} onRetry={() => void refetch()} />
        )}
        {fresh?.secret !== undefined && (
          <WebhookSecretNotice
            webhook={fresh}
            secret={fresh.secret}
            onClose={() => setFresh({ ...fresh, secret: undefined })}
          />
        )}
        {webhook && (
          <WebhookCard
            webhook={webhook}
            isWorkflowActive={status === 'active'}
            onSecret={setFresh}
            onChange={refresh}
            onListen={onClose}
            onRemoved={onClose}
          />
        )}
        {shownId !== undefined && !webhook && !error && (data ? <DeletedWebhookText /> : <Skeleton h={90} />)}
      </Stack>
    </Modal>
  );
}

const DeletedWebhookText = () => <Text size="sm">The webhook no longer exists.</Text>;
