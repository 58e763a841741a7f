import { useMutation } from '@tanstack/react-query';
import type { WebhookSubscriptionState } from '@/contract/triggers/subscription';
import type { WebhookTrigger, WebhookWithSecret } from '@/contract/triggers/webhook';
import { useTRPC } from '@/components/client/trpc';
import { SubscriptionForm } from './SubscriptionForm';

interface Props {
  webhook: WebhookTrigger;
  subscription: WebhookSubscriptionState;
  onDone(webhook: WebhookWithSecret): void;
  onCancel(): void;
}

/** The event, account and choices of a webhook that the service makes at a provider. */
export function SubscriptionEdit({ webhook, subscription, onDone, onCancel }: Props) {
  const trpc = useTRPC();
  const update = useMutation(trpc.webhooks.update.mutationOptions({ onSuccess: onDone }));
  const { connectorId, event, parameters, credentialId } = subscription;
  const params = { id: webhook.workflowId, webhookId: webhook.id };
  return (
    <SubscriptionForm
      initial={{ connectorId, event, parameters, credentialId, startNodeId: webhook.startNodeId }}
      action="Save"
      isBusy={update.isPending}
      error={update.error}
      onSubmit={(body) => update.mutate({ params, body })}
      onCancel={onCancel}
    />
  );
}
