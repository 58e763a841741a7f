import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { PaginationQuery } from '@/contract/text';
import {
  WebhookTrigger,
  CreateWebhookRequest,
  ListWebhooksResponse,
  UpdateWebhookRequest,
  WebhookWithSecret,
} from '@/contract/triggers/webhook';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { conflictProblem, invalidFieldProblem } from '@/server/platform/errors/problem';
import { findWorkspacePolicy } from '@/server/people/access/policy';
import { requireReferenceUse } from '@/server/people/access/references';
import { generateId } from '@/server/platform/db/ids';
import { requireBelowCap } from '@/server/platform/quotas/caps';
import { findWebhookRow } from './inbox';
import { acceptsTokensWithoutExpiry, isSameVerification, splitVerification, verificationSettings } from './settings';
import { createWebhookSecret } from './webhook-address';
import {
  checkSubscription,
  providerVerification,
  requireNoOwnVerification,
  requireSubscriptionAccount,
  sealNewSecret,
  subscribedWebhook,
  findCurrentSubscription,
  isSameSubscription,
  replaceSubscription,
  storedSubscriptionRequest,
  storeSubscriptionLabels,
} from './subscription-rows';
import { requireStartNode } from '../workflows/start-nodes';
import { findWorkflow } from '../workflows/workflow-rows';
import {
  readWebhookDetails,
  rejectDuplicateWebhook,
  toCorsColumn,
  toVerificationColumns,
  toWebhookResponse,
  toWebhookResponseColumn,
  toDetailedWebhookResponse,
} from './webhook-rows';
import { MS_PER_HOUR } from '@/contract/units';

const WEBHOOK_TAG = 'Webhooks';
const WebhookCollectionParams = z.strictObject({ id: z.string() });
export const WebhookParams = z.strictObject({ id: z.string(), webhookId: z.string() });

const WEBHOOK_PATH_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Makes a path with 165 random bits, which nobody can guess. */
const createRandomPath = () =>
  Array.from({ length: 32 }, () => WEBHOOK_PATH_CHARACTERS[randomInt(WEBHOOK_PATH_CHARACTERS.length)]).join('');

const listWebhooksOperation = defineOperation({
  id: 'webhooks.list',
  method: 'GET',
  path: '/api/workflows/{id}/webhooks',
  summary: 'List the webhooks of a workflow',
  tag: WEBHOOK_TAG,
  access: memberAccess('webhook', 'read'),
  effect: readEffect(),
  params: WebhookCollectionParams,
  query: PaginationQuery,
  reply: jsonReply(ListWebhooksResponse),
  async run({ db, caller }, { params: { id }, query: { limit, offset } }) {
    await findWorkflow(db, caller.workspaceId, id);
    const where = { workflowId: id };
    const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
    const [rows, total] = await Promise.all([
      db.webhook.findMany({ where, orderBy, take: limit, skip: offset }),
      db.webhook.count({ where }),
    ]);
    const details = await readWebhookDetails(
      db,
      rows.map((row) => row.id),
    );
    return { data: rows.map((row) => toWebhookResponse(row, details.get(row.id))), total, limit, offset };
  },
});

const createWebhookOperation = defineOperation({
  id: 'webhooks.create',
  method: 'POST',
  path: '/api/workflows/{id}/webhooks',
  summary: 'Register a webhook address',
  description:
    'With `path` alone, senders sign with `X-Service-Signature`, and the answer shows the secret for it, once. `verification` ' +
    'names another way; the secrets in it are masked in all answers. Who can deliver can start runs, so this needs ' +
    '`workflow:execute` as well.',
  tag: WEBHOOK_TAG,
  access: memberAccess('webhook', 'create'),
  effect: writeEffect('configuration_change'),
  params: WebhookCollectionParams,
  body: jsonBody(CreateWebhookRequest),
  reply: jsonReply(WebhookWithSecret, { status: 201, location: '/api/workflows/{workflowId}/webhooks/{id}' }),
  async run(
    { db, caller, note },
    { params: { id: workflowId }, body: { verification, response, cors, subscription, ...rest } },
  ) {
    const workflow = await findWorkflow(db, caller.workspaceId, workflowId);
    await requireReferenceUse(db, caller, { resource: 'workflow', id: workflowId });
    await requireStartNode(db, workflow, rest.startNodeId);
    await requireBelowCap(db, 'webhooks', workflowId);
    const id = generateId('whk');
    const subscribed = subscription ? await checkSubscription(db, caller, subscription) : undefined;
    if (subscribed) {
      requireNoOwnVerification(verification, rest.methods);
      if (rest.enabled !== false) await requireSubscriptionAccount(db, workflow, subscribed.request);
    }
    const given = subscribed ? providerVerification(subscribed) : splitVerification(verification);
    const { kind } = given.settings;
    const path = rest.path ?? (kind === 'none' || subscribed ? createRandomPath() : null);
    if (path === null) throw invalidFieldProblem('path', 'is required');
    note({ resourceId: id, metadata: { workflowId, path, verification: kind } });
    const { columns, made } = toVerificationColumns(id, given);
    const data = {
      ...rest,
      ...columns,
      allowWithoutExpiry: acceptsTokensWithoutExpiry(given),
      response: response && toWebhookResponseColumn(response),
      cors: toCorsColumn(cors),
      ...(subscribed?.subscriptions.input && { input: subscribed.subscriptions.input }),
      id,
      workflowId,
      path,
      createdBy: caller.userId,
    };
    const row = await db.webhook.create({ data }).catch(rejectDuplicateWebhook);
    if (!subscribed) return { ...toWebhookResponse(row), secret: made };
    await replaceSubscription(db, { ...subscribedWebhook(row), workspaceId: caller.workspaceId }, subscribed.request);
    return toDetailedWebhookResponse(db, row);
  },
});

const getWebhookOperation = defineOperation({
  id: 'webhooks.get',
  method: 'GET',
  path: '/api/workflows/{id}/webhooks/{webhookId}',
  summary: 'Read a webhook address',
  tag: WEBHOOK_TAG,
  access: memberAccess('webhook', 'read'),
  effect: readEffect(),
  params: WebhookParams,
  reply: jsonReply(WebhookTrigger),
  run: async ({ db, caller }, { params: { id, webhookId } }) =>
    toDetailedWebhookResponse(db, await findWebhookRow(db, caller.workspaceId, id, webhookId)),
});

const updateWebhookOperation = defineOperation({
  id: 'webhooks.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/workflows/{id}/webhooks/{webhookId}',
  summary: 'Change a webhook address',
  description:
    'Fields that are left out stay as they are. A secret that is left out, or sent back masked, is kept only if nothing ' +
    'else of the verification changes but `allowWithoutExpiry`; that of the kind `signature` is then made anew and shown once. A replaced secret ' +
    'stops to work at once. Needs `workflow:execute` as well, unless the webhook is or becomes disabled.',
  tag: WEBHOOK_TAG,
  access: memberAccess('webhook', 'update'),
  effect: writeEffect('configuration_change'),
  params: WebhookParams,
  body: jsonBody(UpdateWebhookRequest),
  reply: jsonReply(WebhookWithSecret),
  async run(
    { db, caller, note },
    { params: { id, webhookId }, body: { verification, response, cors, subscription, ...rest } },
  ) {
    const before = await findWebhookRow(db, caller.workspaceId, id, webhookId);
    const current = await findCurrentSubscription(db, webhookId);
    if (current && subscription === null)
      throw invalidFieldProblem('subscription', 'cannot be taken away: remove the webhook instead');
    const subscribed = subscription ? await checkSubscription(db, caller, subscription) : undefined;
    const isSubscribedAnew = subscribed !== undefined && !(current && isSameSubscription(current, subscribed.request));
    if (current ?? subscribed) requireNoOwnVerification(verification, rest.methods, before);
    const given = isSubscribedAnew ? providerVerification(subscribed) : verification && splitVerification(verification);
    const isChanged = given !== undefined && !isSameVerification(given, verificationSettings(before));
    const allowWithoutExpiry = given && acceptsTokensWithoutExpiry(given, before);
    const isOther = isChanged || (given?.settings.kind === 'jwt' && allowWithoutExpiry !== before.allowWithoutExpiry);
    const labels = isSubscribedAnew ? undefined : subscribed?.request.labels;
    const isRelabelled = labels !== undefined && !isDeepStrictEqual(labels, current?.labels);
    const changed = [
      ...Object.keys(rest),
      ...(response ? ['response'] : []),
      ...(cors === undefined ? [] : ['cors']),
      ...(isOther ? ['verification'] : []),
      ...(isSubscribedAnew || isRelabelled ? ['subscription'] : []),
    ];
    const { kind } = isChanged ? given.settings : verificationSettings(before);
    note({ resourceId: webhookId, metadata: { workflowId: id, changed, verification: kind } });
    const enabled = rest.enabled ?? before.enabled;
    if (enabled) await requireReferenceUse(db, caller, { resource: 'workflow', id });
    const workflow = await findWorkflow(db, caller.workspaceId, id);
    const next = subscribed?.request ?? current;
    if (next && enabled) await requireSubscriptionAccount(db, workflow, next);
    await requireStartNode(db, workflow, rest.startNodeId);
    const stored = isChanged ? toVerificationColumns(webhookId, given) : undefined;
    const data = {
      ...rest,
      allowWithoutExpiry,
      response: response && toWebhookResponseColumn(response),
      cors: toCorsColumn(cors),
      ...(isSubscribedAnew && subscribed.subscriptions.input && { input: subscribed.subscriptions.input }),
      ...(stored && { ...stored.columns, oldSecret: null, oldSecretUntil: null }),
    };
    const row = await db.webhook.update({ where: { id: webhookId }, data }).catch(rejectDuplicateWebhook);
    const kept = current && row.path !== before.path ? storedSubscriptionRequest(current) : null;
    const wanted = isSubscribedAnew ? subscribed.request : kept && { ...kept, labels: labels ?? kept.labels };
    if (wanted) await replaceSubscription(db, { ...subscribedWebhook(row), workspaceId: caller.workspaceId }, wanted);
    else if (current && isRelabelled) await storeSubscriptionLabels(db, current, labels);
    return { ...(await toDetailedWebhookResponse(db, row)), secret: stored?.made };
  },
});

const deleteWebhookOperation = defineOperation({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/api/workflows/{id}/webhooks/{webhookId}',
  summary: 'Remove a webhook address',
  tag: WEBHOOK_TAG,
  access: memberAccess('webhook', 'delete'),
  effect: writeEffect('configuration_change'),
  params: WebhookParams,
  async run({ db, caller, note }, { params: { id, webhookId } }) {
    note({ resourceId: webhookId });
    const { path } = await findWebhookRow(db, caller.workspaceId, id, webhookId);
    note({ metadata: { workflowId: id, path } });
    await db.webhook.delete({ where: { id: webhookId } });
  },
});

const rotateWebhookSecretOperation = defineOperation({
  id: 'webhooks.rotateSecret',
  method: 'POST',
  path: '/api/workflows/{id}/webhooks/{webhookId}/rotate-secret',
  summary: 'Replace the secret of a webhook',
  description:
    'The answer shows the new secret, once. The old one stays valid for a day, or for the workspace’s period ' +
    '(`webhookGraceHours`), so that senders can change over. 409 unless the verification is of the kind `signature`. Needs ' +
    '`workflow:execute` as well.',
  tag: WEBHOOK_TAG,
  access: memberAccess('webhook', 'update'),
  effect: writeEffect('configuration_change'),
  params: WebhookParams,
  reply: jsonReply(WebhookWithSecret),
  async run({ db, caller, note }, { params: { id, webhookId } }) {
    note({ resourceId: webhookId });
    const before = await findWebhookRow(db, caller.workspaceId, id, webhookId);
    await requireReferenceUse(db, caller, { resource: 'workflow', id });
    const current = await findCurrentSubscription(db, webhookId);
    if (verificationSettings(before).kind !== 'signature' && !current) {
      throw conflictProblem('The secret of this webhook comes from its sender. Change the verification instead.');
    }
    const secret = createWebhookSecret();
    const { webhookGraceHours } = await findWorkspacePolicy(db, caller.workspaceId);
    const data = {
      secret: sealNewSecret(webhookId, secret, current),
      // The provider gets the new secret at once.
      oldSecret: current ? null : before.secret,
      oldSecretUntil: current ? null : new Date(Date.now() + webhookGraceHours * MS_PER_HOUR),
    };
    const row = await db.webhook.update({ where: { id: webhookId }, data });
    if (!current) return { ...(await toDetailedWebhookResponse(db, row)), secret };
    // The provider gets the new secret with a new webhook.
    const webhook = { ...subscribedWebhook(row), workspaceId: caller.workspaceId };
    await replaceSubscription(db, webhook, storedSubscriptionRequest(current));
    return toDetailedWebhookResponse(db, row);
  },
});

export const webhookOperations = [
  listWebhooksOperation,
  createWebhookOperation,
  getWebhookOperation,
  updateWebhookOperation,
  deleteWebhookOperation,
  rotateWebhookSecretOperation,
];

export { listWebhooksOperation, createWebhookOperation, updateWebhookOperation, deleteWebhookOperation };
