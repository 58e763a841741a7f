import { isDeepStrictEqual } from 'node:util';
import type { SubscriptionRequest } from '@/contract/triggers/subscription';
import type { WebhookTrigger } from '@/contract/triggers/webhook';
import { DEFAULT_VERIFICATION } from '@/contract/triggers/webhook-constants';
import { listSecretFields, type WebhookVerification } from '@/contract/triggers/webhook-verification';
import { splitVerification } from '@/server/api/operations/webhooks/settings';
import {
  completeSubscription,
  findCurrentSubscription,
  IMPORTED_HOME,
} from '@/server/api/operations/webhooks/subscription-rows';
import {
  createWebhookOperation,
  deleteWebhookOperation,
  listWebhooksOperation,
  updateWebhookOperation,
} from '@/server/api/operations/webhooks/webhooks';
import { findBuiltInConnector } from '@/server/connectors';
import type { DatabaseClient } from '@/server/platform/db/client';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import {
  pickFields,
  withoutNullStart,
  withStartNode,
  type ProjectItem,
  type ReferenceMapper,
  type WorkflowPartKind,
} from './part-kind';
import { runOperationInside } from './run-operation-inside';

/** Replaces the credential of a subscription in the same way as those of a definition. */
export const mapSubscriptionCredential = (
  subscription: SubscriptionRequest,
  rename: ReferenceMapper,
): SubscriptionRequest => ({
  ...subscription,
  credentialId:
    subscription.credentialId &&
    rename({ resource: 'credential', id: subscription.credentialId, field: 'subscription.credentialId' }),
});

const WEBHOOK_FIELDS = ['path', 'methods', 'response', 'input', 'allowedIps', 'enabled', 'startNodeId'];

/** Leaves secrets and default values out of a verification. */
function toProjectVerification(stored: WebhookVerification): WebhookVerification {
  const { settings, allowWithoutExpiry } = splitVerification(stored);
  return settings.kind === 'jwt' && allowWithoutExpiry ? { ...settings, allowWithoutExpiry } : settings;
}

/** Whether a push leaves a verification as it is. A file that does not mention `allowWithoutExpiry` keeps it. */
function isSameFileVerification(verification: WebhookVerification, before: ProjectItem | undefined): boolean {
  const stored = before?.['verification'] as WebhookVerification | undefined;
  if (verification.kind !== 'jwt' || stored?.kind !== 'jwt') return isDeepStrictEqual(stored, verification);
  const { allowWithoutExpiry = stored.allowWithoutExpiry ?? false, ...rest } = verification;
  const { allowWithoutExpiry: isAllowed = false, ...others } = stored;
  return allowWithoutExpiry === isAllowed && isDeepStrictEqual(others, rest);
}

export const webhookPartKind: WorkflowPartKind = {
  kind: 'webhook',
  table: 'webhook',
  itemsIn: ({ triggers }) => triggers.webhooks.map(withoutNullStart),
  list: (call, id, query) => runOperationInside(call, listWebhooksOperation, { params: { id }, query }),
  async create(call, id, body) {
    const made = await runOperationInside(call, createWebhookOperation, { params: { id }, body });
    await keepSubscriptionHome(call.db, made.id, undefined);
  },
  async update(call, id, webhookId, body) {
    const before = await findCurrentSubscription(call.db, webhookId);
    await runOperationInside(call, updateWebhookOperation, { params: { id, webhookId }, body: withStartNode(body) });
    await keepSubscriptionHome(call.db, webhookId, before?.home);
  },
  remove: (call, id, webhookId) => runOperationInside(call, deleteWebhookOperation, { params: { id, webhookId } }),
  itemName: ({ path }) => String(path),
  toItem(stored, toKey) {
    const { verification, subscription } = stored as unknown as WebhookTrigger;
    const item = { ...pickFields(stored, WEBHOOK_FIELDS), cors: stored['cors'] ?? null };
    if (!subscription) return { ...item, verification: toProjectVerification(verification) };
    const { connectorId, event, parameters, credentialId, labels } = subscription;
    const keyed = mapSubscriptionCredential(
      { connectorId, event, parameters, credentialId, ...(labels && { labels }) },
      toKey,
    );
    return withoutProviderSettings({ ...item, subscription: keyed });
  },
  toBody(item, toId) {
    const verification = item['verification'] as WebhookVerification | undefined;
    const [name] = Object.keys(verification ? splitVerification(verification).secrets : {});
    if (name !== undefined)
      throw invalidFieldProblem(`verification.${name}`, 'is a secret: it does not belong in a file');
    const subscription = item['subscription'] as SubscriptionRequest | undefined;
    if (!subscription) return item;
    if (verification && !isDeepStrictEqual(verification, DEFAULT_VERIFICATION))
      throw invalidFieldProblem('verification', 'is that of the provider: a subscription makes it');
    return withoutProviderSettings({
      ...item,
      subscription: mapSubscriptionCredential(completeSubscription(subscription), toId),
    });
  },
  manualStep(item, before) {
    if (before?.['subscription'] && !item['subscription'])
      return 'It has a subscription here, which cannot be taken away: remove this webhook here by hand.';
    const verification = item['verification'] as WebhookVerification | undefined;
    if (!verification) return undefined;
    if (verification.kind === 'signature' || listSecretFields(verification).length === 0) return undefined;
    if (isSameFileVerification(verification, before)) return undefined;
    return before
      ? 'Its verification differs and has a secret: change it here by hand.'
      : 'Its verification has a secret: create this webhook here by hand, with the same settings.';
  },
  followUpNote(item, before) {
    if (item['subscription'])
      return before?.['subscription'] ? undefined : 'Its subscription waits: subscribe here, or activate the workflow.';
    const verification = item['verification'] as WebhookVerification;
    return verification.kind === 'signature' && !isSameFileVerification(verification, before)
      ? 'Its secret was made here: rotate it to see one.'
      : undefined;
  },
};

/**
 * A subscription from files stays with whoever has made the webhook at the provider: it waits. One that this
 * installation had before stays its own.
 */
async function keepSubscriptionHome(db: DatabaseClient, webhookId: string, home = IMPORTED_HOME): Promise<void> {
  await db.webhookSubscription.updateMany({ where: { webhookId, isCurrent: true }, data: { home } });
}

/** The settings that a subscription determines are not in the files. */
function withoutProviderSettings(item: ProjectItem): ProjectItem {
  const { verification: _verification, methods: _methods, input, ...rest } = item;
  const { connectorId } = item['subscription'] as SubscriptionRequest;
  return findBuiltInConnector(connectorId)?.subscriptions?.input ? rest : { ...rest, input };
}
