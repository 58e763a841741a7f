import { randomBytes, randomInt } from 'node:crypto';
import { z } from 'zod';
import { PageQuery } from '@/contract/text';
import {
  type Verdict,
  Webhook,
  WebhookCreate,
  WebhookPage,
  type WebhookResponse,
  WebhookUpdate,
  WebhookWithSecret,
} from '@/contract/triggers/webhook';
import { Prisma, type Webhook as Row } from '@/generated/prisma/client';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { conflict, invalidField } from '@/server/errors/problem';
import { policyIn } from '@/server/access/policy';
import { requireUse } from '@/server/access/references';
import { sealWebhookSecret } from '@/server/webhooks/verification';
import type { Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { requireBelowCap } from '@/server/quotas/caps';
import { runtime } from '@/server/runtime';
import { webhookIn } from './inbox';
import {
  allowsWithoutExpiry,
  isDocumentedVerification,
  isSameVerification,
  requireSecrets,
  shownVerification,
  splitVerification,
  type SplitVerification,
  verificationOf,
} from './settings';
import { findWorkflow } from '../workflows/content';

const tag = 'Webhooks';
const OfWorkflow = z.strictObject({ id: z.string() });
const One = z.strictObject({ id: z.string(), webhookId: z.string() });

const presentWebhook = (row: Row, lastCall: Webhook['lastCall'] = null): Webhook => ({
  id: row.id,
  workflowId: row.workflowId,
  path: row.path,
  url: `${runtime().env.apiBaseUrl}/webhooks/${row.workflowId}/${row.path}`,
  methods: row.methods as Webhook['methods'],
  verification: shownVerification(row),
  response: (row.response ?? { mode: 'accepted' }) as WebhookResponse,
  input: row.input as Webhook['input'],
  allowedIps: row.allowedIps,
  cors: row.cors as Webhook['cors'],
  enabled: row.enabled,
  createdAt: row.createdAt.toISOString(),
  lastCall,
});

/** The latest delivery of each webhook. */
async function lastCalls(db: Db, webhookIds: string[]): Promise<Map<string, NonNullable<Webhook['lastCall']>>> {
  const rows = await db.$queryRaw<{ id: string; receivedAt: Date; verdict: string }[]>`
    SELECT h.id, d.received_at AS "receivedAt", d.verdict FROM unnest(${webhookIds}::text[]) AS h(id)
    CROSS JOIN LATERAL (
      SELECT received_at, verdict FROM webhook_delivery WHERE webhook_id = h.id
      ORDER BY received_at DESC, id DESC LIMIT 1
    ) d`;
  return new Map(
    rows.map(({ id, receivedAt, verdict }) => [
      id,
      { receivedAt: receivedAt.toISOString(), verdict: verdict as Verdict },
    ]),
  );
}

async function withLastCall(db: Db, row: Row): Promise<Webhook> {
  return presentWebhook(row, (await lastCalls(db, [row.id])).get(row.id));
}

const HOUR_MS = 3_600_000;

/** Shown to the author once; stored sealed. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64url')}`;

const PATH_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** A path that cannot be guessed: 165 bits. */
const newPath = () => Array.from({ length: 32 }, () => PATH_CHARACTERS[randomInt(PATH_CHARACTERS.length)]).join('');

/** The columns of a verification, and the secret that was made for it, if any. */
function storedVerification(webhookId: string, given: SplitVerification) {
  requireSecrets(given);
  const { settings, secrets } = given;
  const isSignature = settings.kind === 'signature';
  const made = isSignature && secrets['secret'] === undefined ? newSecret() : undefined;
  const sealed = isSignature ? (made ?? secrets['secret'] ?? '') : JSON.stringify(secrets);
  return {
    made,
    columns: {
      verification: isDocumentedVerification(settings) ? Prisma.DbNull : (settings as object),
      secret: sealWebhookSecret(webhookId, sealed),
    },
  };
}

/** The column of a response mode; null for `accepted`, so that the fast path has nothing to read. */
const storedResponse = (response: WebhookResponse) => (response.mode === 'accepted' ? Prisma.DbNull : response);

/** The column of the pages that may call it. */
const storedCors = (cors: Webhook['cors'] | undefined) => (cors === null ? Prisma.DbNull : cors);

const list = operation({
  id: 'webhooks.list',
  method: 'GET',
  path: '/api/workflows/{id}/webhooks',
  summary: 'List the webhooks of a workflow',
  tag,
  access: memberAccess('webhook', 'read'),
  effect: readEffect(),
  params: OfWorkflow,
  query: PageQuery,
  reply: jsonReply(WebhookPage),
  async run({ db, caller }, { params: { id }, query: { limit, offset } }) {
    await findWorkflow(db, caller.workspaceId, id);
    const where = { workflowId: id };
    const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
    const [rows, total] = await Promise.all([
      db.webhook.findMany({ where, orderBy, take: limit, skip: offset }),
      db.webhook.count({ where }),
    ]);
    const last = await lastCalls(
      db,
      rows.map((row) => row.id),
    );
    return { data: rows.map((row) => presentWebhook(row, last.get(row.id))), total, limit, offset };
  },
});

const create = operation({
  id: 'webhooks.create',
  method: 'POST',
  path: '/api/workflows/{id}/webhooks',
  summary: 'Register a webhook address',
  description:
    'With `path` alone, senders sign with `X-Service-Signature`, and the answer shows the secret for it, once. `verification` ' +
    'names another way; the secrets in it are masked in all answers. Who can deliver can start runs, so this needs ' +
    '`workflow:execute` as well.',
  tag,
  access: memberAccess('webhook', 'create'),
  effect: writeEffect('configuration_change'),
  params: OfWorkflow,
  body: jsonBody(WebhookCreate),
  reply: jsonReply(WebhookWithSecret, { status: 201, location: '/api/workflows/{workflowId}/webhooks/{id}' }),
  async run({ db, caller, note }, { params: { id: workflowId }, body: { verification, response, cors, ...rest } }) {
    await findWorkflow(db, caller.workspaceId, workflowId);
    await requireUse(db, caller, { resource: 'workflow', id: workflowId });
    await requireBelowCap(db, 'webhooks', workflowId);
    const id = newId('whk');
    const given = splitVerification(verification);
    const { kind } = given.settings;
    const path = rest.path ?? (kind === 'none' ? newPath() : null);
    if (path === null) throw invalidField('path', 'is required');
    note({ resourceId: id, metadata: { workflowId, path, verification: kind } });
    const { columns, made } = storedVerification(id, given);
    const data = {
      ...rest,
      ...columns,
      allowWithoutExpiry: allowsWithoutExpiry(given),
      response: response && storedResponse(response),
      cors: storedCors(cors),
      id,
      workflowId,
      path,
      createdBy: caller.userId,
    };
    const row = await db.webhook.create({ data }).catch(refuseDuplicate);
    return { ...presentWebhook(row), secret: made };
  },
});

function refuseDuplicate(error: unknown): never {
  if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') {
    throw conflict('The workflow has a webhook with this path already.');
  }
  throw error;
}

const get = operation({
  id: 'webhooks.get',
  method: 'GET',
  path: '/api/workflows/{id}/webhooks/{webhookId}',
  summary: 'Read a webhook address',
  tag,
  access: memberAccess('webhook', 'read'),
  effect: readEffect(),
  params: One,
  reply: jsonReply(Webhook),
  run: async ({ db, caller }, { params: { id, webhookId } }) =>
    withLastCall(db, await webhookIn(db, caller.workspaceId, id, webhookId)),
});

const update = operation({
  id: 'webhooks.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/workflows/{id}/webhooks/{webhookId}',
  summary: 'Change a webhook address',
  description:
    'Fields that are left out stay as they are. A secret that is left out, or sent back masked, is kept only if nothing ' +
    'else of the verification changes but `allowWithoutExpiry`; that of the kind `signature` is then made anew and shown once. A replaced secret ' +
    'stops to work at once. Needs `workflow:execute` as well, unless the webhook is or becomes disabled.',
  tag,
  access: memberAccess('webhook', 'update'),
  effect: writeEffect('configuration_change'),
  params: One,
  body: jsonBody(WebhookUpdate),
  reply: jsonReply(WebhookWithSecret),
  async run({ db, caller, note }, { params: { id, webhookId }, body: { verification, response, cors, ...rest } }) {
    const before = await webhookIn(db, caller.workspaceId, id, webhookId);
    const given = verification && splitVerification(verification);
    const isChanged = given !== undefined && !isSameVerification(given, verificationOf(before));
    const allowWithoutExpiry = given && allowsWithoutExpiry(given, before);
    const isOther = isChanged || (given?.settings.kind === 'jwt' && allowWithoutExpiry !== before.allowWithoutExpiry);
    const changed = [
      ...Object.keys(rest),
      ...(response ? ['response'] : []),
      ...(cors === undefined ? [] : ['cors']),
      ...(isOther ? ['verification'] : []),
    ];
    const { kind } = isChanged ? given.settings : verificationOf(before);
    note({ resourceId: webhookId, metadata: { workflowId: id, changed, verification: kind } });
    if (rest.enabled ?? before.enabled) await requireUse(db, caller, { resource: 'workflow', id });
    const stored = isChanged ? storedVerification(webhookId, given) : undefined;
    const data = {
      ...rest,
      allowWithoutExpiry,
      response: response && storedResponse(response),
      cors: storedCors(cors),
      ...(stored && { ...stored.columns, oldSecret: null, oldSecretUntil: null }),
    };
    const row = await db.webhook.update({ where: { id: webhookId }, data }).catch(refuseDuplicate);
    return { ...(await withLastCall(db, row)), secret: stored?.made };
  },
});

const remove = operation({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/api/workflows/{id}/webhooks/{webhookId}',
  summary: 'Remove a webhook address',
  tag,
  access: memberAccess('webhook', 'delete'),
  effect: writeEffect('configuration_change'),
  params: One,
  async run({ db, caller, note }, { params: { id, webhookId } }) {
    note({ resourceId: webhookId });
    const { path } = await webhookIn(db, caller.workspaceId, id, webhookId);
    note({ metadata: { workflowId: id, path } });
    await db.webhook.delete({ where: { id: webhookId } });
  },
});

const rotateSecret = operation({
  id: 'webhooks.rotateSecret',
  method: 'POST',
  path: '/api/workflows/{id}/webhooks/{webhookId}/rotate-secret',
  summary: 'Replace the secret of a webhook',
  description:
    'The answer shows the new secret, once. The old one stays valid for a day, or for the workspace’s period ' +
    '(`webhookGraceHours`), so that senders can change over. 409 unless the verification is of the kind `signature`. Needs ' +
    '`workflow:execute` as well.',
  tag,
  access: memberAccess('webhook', 'update'),
  effect: writeEffect('configuration_change'),
  params: One,
  reply: jsonReply(WebhookWithSecret),
  async run({ db, caller, note }, { params: { id, webhookId } }) {
    note({ resourceId: webhookId });
    const before = await webhookIn(db, caller.workspaceId, id, webhookId);
    await requireUse(db, caller, { resource: 'workflow', id });
    if (verificationOf(before).kind !== 'signature') {
      throw conflict('The secret of this webhook comes from its sender. Change the verification instead.');
    }
    const secret = newSecret();
    const { webhookGraceHours } = await policyIn(db, caller.workspaceId);
    const data = {
      secret: sealWebhookSecret(webhookId, secret),
      oldSecret: before.secret,
      oldSecretUntil: new Date(Date.now() + webhookGraceHours * HOUR_MS),
    };
    const row = await db.webhook.update({ where: { id: webhookId }, data });
    return { ...(await withLastCall(db, row)), secret };
  },
});

export const webhooks = [list, create, get, update, remove, rotateSecret];

export { list as listWebhooks, create as createWebhook, update as updateWebhook, remove as deleteWebhook };
