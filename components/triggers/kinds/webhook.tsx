import { IconWebhook } from '@tabler/icons-react';
import type { Webhook } from '@/contract/triggers/webhook';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { shownAs, type Trigger, type TriggerKind } from './kind';
import { ALL, REFETCH_MS, triggerState } from './state';

const WORDS = { accepted: 'Last call', duplicate: 'Repeated', captured: 'Test call', refused: 'Refused' };

const LastCall = ({ lastCall }: Pick<Webhook, 'lastCall'>) =>
  lastCall ? (
    <>
      {WORDS[lastCall.verdict]} <TimeAgo at={lastCall.receivedAt} />
    </>
  ) : (
    'Not called yet'
  );

const shown = (webhook: Webhook, status: WorkflowStatus): Trigger => ({
  id: webhook.id,
  kind: 'webhook',
  text: `/${webhook.path}`,
  state: triggerState(webhook.enabled, status),
  note: <LastCall lastCall={webhook.lastCall} />,
  canListen: webhook.enabled,
});

export const webhookKind: TriggerKind = {
  kind: 'webhook',
  label: 'Webhook',
  icon: IconWebhook,
  offer: {
    description: 'Starts the workflow when a URL is called.',
    synonyms: [
      'trigger',
      'http trigger',
      'incoming call',
      'url',
      'endpoint',
      'api',
      'event',
      'hook',
      'receive',
      'on event',
    ],
  },
  query: (trpc, { id, status }) =>
    shownAs(
      trpc.webhooks.list.queryOptions({ params: { id }, query: ALL }),
      ({ data }: { data: Webhook[] }) => data.map((webhook) => shown(webhook, status)),
      REFETCH_MS,
    ),
  Dialog: lazyWithPreload(() => import('../webhook/WebhookDialog').then((module) => module.WebhookDialog)),
};
