import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookTrigger, WebhookWithSecret } from '@/contract/triggers/webhook';
import { useTRPC } from '@/components/client/trpc';
import { WebhookForm } from './WebhookForm';
import { webhookRequestBody, toWebhookDraft } from './webhook-draft';

interface Props {
  webhook: WebhookTrigger;
  /** `webhook.secret` is set if the service has made a new one. */
  onDone(webhook: WebhookWithSecret): void;
  onCancel(): void;
}

/** The form of an existing webhook. */
export function WebhookEdit({ webhook, onDone, onCancel }: Props) {
  const trpc = useTRPC();
  const [draft, setDraft] = useState(() => toWebhookDraft(webhook));
  const update = useMutation(trpc.webhooks.update.mutationOptions({ onSuccess: onDone }));
  const { id: webhookId, workflowId: id } = webhook;
  return (
    <WebhookForm
      label={`Settings of webhook ${webhook.path}`}
      action="Save webhook"
      draft={draft}
      isNew={false}
      isBusy={update.isPending}
      error={update.error}
      onChange={setDraft}
      onSubmit={() => update.mutate({ params: { id, webhookId }, body: webhookRequestBody(draft, false) })}
      onCancel={onCancel}
    />
  );
}
