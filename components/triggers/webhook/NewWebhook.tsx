import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookWithSecret } from '@/contract/triggers/webhook';
import { useTRPC } from '@/components/client/trpc';
import { useInitialStart } from '@/components/ui/start-nodes/start-choices';
import { WebhookForm } from './WebhookForm';
import { webhookRequestBody, EMPTY_WEBHOOK_DRAFT, type WebhookDraft } from './webhook-draft';

interface Props {
  workflowId: string;
  /** Initial values of the form. */
  preset?: Partial<WebhookDraft>;
  /** `webhook.secret` is set if the service has made one. */
  onCreated(webhook: WebhookWithSecret): void;
  onCancel?(): void;
}

/** The form of a new webhook. */
export function NewWebhook({ workflowId, preset, onCreated, onCancel }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const empty = { ...EMPTY_WEBHOOK_DRAFT, startNodeId: useInitialStart() };
  const [draft, setDraft] = useState<WebhookDraft>({ ...empty, ...preset });
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({
      onSuccess: (webhook) => {
        setDraft(empty);
        void queryClient.invalidateQueries({ queryKey: trpc.webhooks.list.queryKey() });
        onCreated(webhook);
      },
    }),
  );
  return (
    <WebhookForm
      label="New webhook"
      action="Add webhook"
      draft={draft}
      isNew
      isBusy={create.isPending}
      error={create.error}
      onChange={setDraft}
      onSubmit={() => create.mutate({ params: { id: workflowId }, body: webhookRequestBody(draft, true) })}
      onCancel={onCancel}
    />
  );
}
