import { SubscribeResponse } from '@/contract/triggers/subscription';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonReply, writeEffect } from '@/server/api/operation/operation-parts';
import { conflictProblem } from '@/server/platform/errors/problem';
import { requireReferenceUse } from '@/server/people/access/references';
import { findWebhookRow } from './inbox';
import {
  findCurrentSubscription,
  resumeSubscription,
  subscribedWebhook,
  toSubscriptionState,
} from './subscription-rows';
import { WebhookParams } from './webhooks';

export const subscribeWebhookOperation = defineOperation({
  id: 'webhooks.subscribe',
  method: 'POST',
  path: '/api/workflows/{id}/webhooks/{webhookId}/subscribe',
  summary: 'Make the webhook at the provider now',
  description:
    'Tries a subscription at once that waits or has failed. After a restore, a move or a change of the address it is how this ' +
    'installation takes the subscription over. Needs `workflow:execute` and `credential:use` as well. 409 for a webhook without a subscription, or without an account.',
  tag: 'Webhooks',
  access: memberAccess('webhook', 'update'),
  effect: writeEffect('configuration_change'),
  params: WebhookParams,
  reply: jsonReply(SubscribeResponse, { status: 202 }),
  async run({ db, caller, note }, { params: { id, webhookId } }) {
    note({ resourceId: webhookId, metadata: { workflowId: id } });
    const webhook = await findWebhookRow(db, caller.workspaceId, id, webhookId);
    await requireReferenceUse(db, caller, { resource: 'workflow', id });
    const current = await findCurrentSubscription(db, webhookId);
    if (!current) throw conflictProblem('This webhook is made at its provider by hand: it has no subscription.');
    const { credentialId } = current;
    if (credentialId === null) throw conflictProblem('Choose the account of this webhook first.');
    await requireReferenceUse(db, caller, { resource: 'credential', id: credentialId });
    const resumed = await resumeSubscription(db, current, subscribedWebhook(webhook).url);
    return { subscription: toSubscriptionState(resumed) };
  },
});
