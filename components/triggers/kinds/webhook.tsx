import { IconWebhook } from '@tabler/icons-react';
import type { WebhookTrigger } from '@/contract/triggers/webhook';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { SubscribedPlace, SubscriptionTitle } from '../webhook/SubscriptionName';
import { triggersQuery, type TriggerCardData, type TriggerKind, type TriggerState } from './kind';
import { TRIGGER_LIST_QUERY, TRIGGER_REFRESH_MS, resolveTriggerState } from './state';

const VERDICT_TEXTS = { accepted: 'Last call', duplicate: 'Repeated', captured: 'Test call', refused: 'Refused' };

const LastWebhookCall = ({ lastCall }: Pick<WebhookTrigger, 'lastCall'>) =>
  lastCall ? (
    <>
      {VERDICT_TEXTS[lastCall.verdict]} <TimeAgo at={lastCall.receivedAt} />
    </>
  ) : (
    'Not called yet'
  );

/** A webhook of a draft takes calls already, but not one that a provider calls: it is made there once the workflow is live. */
const webhookState = ({ enabled, subscription }: WebhookTrigger, status: WorkflowStatus): TriggerState =>
  enabled && !subscription && status === 'draft' ? 'takingCalls' : resolveTriggerState(enabled, status);

const toWebhookTrigger = (webhook: WebhookTrigger, status: WorkflowStatus): TriggerCardData => ({
  id: webhook.id,
  kind: 'webhook',
  text: `/${webhook.path}`,
  ...(webhook.subscription && {
    heading: <SubscriptionTitle subscription={webhook.subscription} />,
    words: <SubscribedPlace subscription={webhook.subscription} />,
  }),
  state: webhookState(webhook, status),
  note:
    webhook.subscription?.credentialId === null ? 'No account chosen' : <LastWebhookCall lastCall={webhook.lastCall} />,
  startNodeId: webhook.startNodeId,
  canListen: webhook.enabled,
});

export const webhookTriggerKind: TriggerKind = {
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
    triggersQuery(
      trpc.webhooks.list.queryOptions({ params: { id }, query: TRIGGER_LIST_QUERY }),
      ({ data }: { data: WebhookTrigger[] }) => data.map((webhook) => toWebhookTrigger(webhook, status)),
      TRIGGER_REFRESH_MS,
    ),
  Dialog: lazyWithPreload(() => import('../webhook/WebhookDialog').then((module) => module.WebhookDialog)),
};
