import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SubscriptionRequest } from '@/contract/triggers/subscription';
import type { WebhookWithSecret } from '@/contract/triggers/webhook';
import { useTRPC } from '@/components/client/trpc';
import { useInitialStart } from '@/components/ui/start-nodes/start-choices';
import { SubscriptionForm } from './SubscriptionForm';

interface Props {
  workflowId: string;
  /** The event that was picked. */
  preset: Pick<SubscriptionRequest, 'connectorId' | 'event'>;
  onCreated(webhook: WebhookWithSecret): void;
  onCancel(): void;
}

/** The form of a new webhook that the service makes at a provider. */
export function NewSubscription({ workflowId, preset, onCreated, onCancel }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({
      onSuccess: (webhook) => {
        void queryClient.invalidateQueries({ queryKey: trpc.webhooks.list.queryKey() });
        onCreated(webhook);
      },
    }),
  );
  return (
    <SubscriptionForm
      initial={{ ...preset, parameters: {}, credentialId: undefined, startNodeId: useInitialStart() }}
      action="Add trigger"
      isBusy={create.isPending}
      error={create.error}
      onSubmit={(body) => create.mutate({ params: { id: workflowId }, body })}
      onCancel={onCancel}
    />
  );
}
