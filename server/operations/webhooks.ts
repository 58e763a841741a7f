import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { PageQuery } from '@/contract/text';
import { type Webhook, WebhookCreate, WebhookPage, WebhookWithSecret } from '@/contract/webhook';
import { Prisma, type Webhook as Row } from '@/generated/prisma/client';
import { operation } from '../api/operation';
import { conflict } from '../api/problem';
import { policyIn } from '../auth/policy';
import { sealWebhookSecret } from '../auth/signature';
import { newId } from '../db/ids';
import { runtime } from '../runtime';
import { webhookIn } from './delivery-inbox';
import { seen } from './workflow-content';

const tag = 'Webhooks';
const OfWorkflow = z.strictObject({ id: z.string() });
const One = z.strictObject({ id: z.string(), webhookId: z.string() });

const shown = ({ id, workflowId, path, createdAt }: Row): Webhook => ({
  id,
  workflowId,
  path,
  url: `${runtime().env.apiBaseUrl}/webhooks/${workflowId}/${path}`,
  createdAt: createdAt.toISOString(),
});

const HOUR_MS = 3_600_000;

/** Shown to the author once; kept sealed. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64url')}`;

const list = operation({
  id: 'webhooks.list',
  method: 'GET',
  path: '/api/workflows/{id}/webhooks',
  summary: 'List the webhooks of a workflow',
  tag,
  access: { resource: 'webhook', action: 'read' },
  effect: 'read',
  params: OfWorkflow,
  query: PageQuery,
  output: WebhookPage,
  async run({ db, caller }, { params: { id }, query: { limit, offset } }) {
    await seen(db, caller.workspaceId, id);
    const where = { workflowId: id };
    const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
    const [rows, total] = await Promise.all([
      db.webhook.findMany({ where, orderBy, take: limit, skip: offset }),
      db.webhook.count({ where }),
    ]);
    return { data: rows.map(shown), total, limit, offset };
  },
});

const create = operation({
  id: 'webhooks.create',
  method: 'POST',
  path: '/api/workflows/{id}/webhooks',
  summary: 'Register a webhook address',
  description: 'The answer shows the secret that senders sign with, once.',
  tag,
  access: { resource: 'webhook', action: 'create' },
  effect: 'write',
  params: OfWorkflow,
  body: WebhookCreate,
  output: WebhookWithSecret,
  status: 201,
  audit: 'configuration_change',
  async run({ db, caller, note }, { params: { id: workflowId }, body: { path } }) {
    await seen(db, caller.workspaceId, workflowId);
    const id = newId('whk');
    note({ resourceId: id, metadata: { workflowId, path } });
    const secret = newSecret();
    const data = { id, workflowId, path, secret: sealWebhookSecret(id, secret), createdBy: caller.userId };
    const row = await db.webhook.create({ data }).catch(refuseDuplicate);
    return { ...shown(row), secret };
  },
});

function refuseDuplicate(error: unknown): never {
  if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') {
    throw conflict('The workflow has a webhook with this path already.');
  }
  throw error;
}

const remove = operation({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/api/workflows/{id}/webhooks/{webhookId}',
  summary: 'Remove a webhook address',
  tag,
  access: { resource: 'webhook', action: 'delete' },
  effect: 'write',
  params: One,
  audit: 'configuration_change',
  async run({ db, caller, note }, { params: { id, webhookId } }) {
    note({ resourceId: webhookId });
    await webhookIn(db, caller.workspaceId, id, webhookId);
    await db.webhook.delete({ where: { id: webhookId } });
  },
});

const rotateSecret = operation({
  id: 'webhooks.rotateSecret',
  method: 'POST',
  path: '/api/workflows/{id}/webhooks/{webhookId}/rotate-secret',
  summary: 'Replace the secret of a webhook',
  description:
    'The answer shows the new secret, once. The old one stays good for a day, or as long as the workspace says ' +
    '(`webhookGraceHours`), so that senders can change over.',
  tag,
  access: { resource: 'webhook', action: 'update' },
  effect: 'write',
  params: One,
  output: WebhookWithSecret,
  audit: 'configuration_change',
  async run({ db, caller, note }, { params: { id, webhookId } }) {
    note({ resourceId: webhookId });
    const before = await webhookIn(db, caller.workspaceId, id, webhookId);
    const secret = newSecret();
    const { webhookGraceHours } = await policyIn(db, caller.workspaceId);
    const data = {
      secret: sealWebhookSecret(webhookId, secret),
      oldSecret: before.secret,
      oldSecretUntil: new Date(Date.now() + webhookGraceHours * HOUR_MS),
    };
    return { ...shown(await db.webhook.update({ where: { id: webhookId }, data })), secret };
  },
});

export const webhooks = [list, create, remove, rotateSecret];
