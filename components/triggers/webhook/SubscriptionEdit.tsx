import { useMutation } from '@tanstack/react-query';
import type { WebhookSubscriptionState } from '@/contract/triggers/subscription';
import type { WebhookTrigger, WebhookWithSecret } from '@/contract/triggers/webhook';
import { useTRPC } from '@/components/client/trpc';
import { createEventDraft, subscriptionBody } from '../event/event-draft';
import { EventForm } from '../event/EventForm';

interface Props {
  webhook: WebhookTrigger;
  subscription: WebhookSubscriptionState;
  isWorkflowActive: boolean;
  onDone(webhook: WebhookWithSecret): void;
  onCancel(): void;
}

/** The event, account and choices of a webhook that the service makes at a provider. */
export function SubscriptionEdit({ webhook, subscription, isWorkflowActive, onDone, onCancel }: Props) {
  const trpc = useTRPC();
  const update = useMutation(trpc.webhooks.update.mutationOptions({ onSuccess: onDone }));
  const { connectorId, event, parameters, credentialId, labels } = subscription;
  const params = { id: webhook.workflowId, webhookId: webhook.id };
  const preset = { connectorId, event, mode: 'subscription' as const };
  return (
    <EventForm
      workflowId={webhook.workflowId}
      initial={{
        ...createEventDraft(preset, webhook.startNodeId),
        parameters,
        credentialId: credentialId ?? undefined,
        labels,
      }}
      mayChooseLater={!isWorkflowActive && credentialId === null}
      action="Save"
      isBusy={update.isPending}
      error={update.error}
      onSubmit={({ draft }) =>
        update.mutate({
          params,
          body: {
            subscription: subscriptionBody(draft, draft.credentialId ?? null),
            startNodeId: draft.startNodeId,
          },
        })
      }
      onCancel={onCancel}
    />
  );
}
