import { z } from 'zod';
import { ApiKeyCreate, ApiKeyCreated, ApiKeyPage, ApiKeyValidity, type ApiKeyScope } from '@/contract/access/api-key';
import { PageQuery } from '@/contract/text';
import { memberAccess, operation, publicAccess } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { forbidden, invalidField, notFound, unauthorized } from '@/server/errors/problem';
import { callerFromKey, hashOfKey, newApiKey, presentedKey } from '@/server/auth/api-key';
import { isWithin } from '@/server/access/scopes';
import type { Caller } from '@/server/access/caller';
import { newId } from '@/server/db/ids';
import type { Db } from '@/server/db/client';
import { requireBelowCap } from '@/server/quotas/caps';
import type { ApiKey as Row } from '@/generated/prisma/client';

const tag = 'API keys';
const HINT_CHARACTERS = 4;

const presentKey = (row: Row) => ({
  id: row.id,
  name: row.name,
  key: `wk_…${row.hint}`,
  scopes: row.scopes as ApiKeyScope[],
  createdBy: row.userId,
  ssoProviderId: row.ssoProviderId,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
});

const create = operation({
  id: 'apiKeys.create',
  method: 'POST',
  path: '/auth/api_keys',
  summary: 'Create an API key',
  description:
    'The key is shown here and never again. It may do what its creator may do in this workspace, restricted by its scopes. ' +
    'A key cannot create a key with more permissions or a longer life. A key that is created in a session of the ' +
    'workspace’s sign-in provider works while the provider is enabled, and ends with it.',
  tag,
  access: memberAccess('api_key', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(ApiKeyCreate),
  reply: jsonReply(ApiKeyCreated, { status: 201 }),
  async run({ db, caller, note }, { body: { name, scopes, expiresAt } }) {
    const end = expiresAt ? new Date(expiresAt) : null;
    if (end && end <= new Date()) throw invalidField('expiresAt', 'must lie in the future');
    await requireNoPromotion(db, caller, scopes, end);
    await requireBelowCap(db, 'apiKeys', caller.workspaceId);
    const key = newApiKey();
    const id = newId('key');
    note({ resourceId: id, metadata: { name, scopes, expiresAt: end } });
    const row = await db.apiKey.create({
      data: {
        id,
        workspaceId: caller.workspaceId,
        userId: caller.userId,
        name,
        hash: hashOfKey(key),
        hint: key.slice(-HINT_CHARACTERS),
        scopes,
        expiresAt: end,
        ssoProviderId: await providerBehind(db, caller),
      },
    });
    return { ...presentKey(row), key };
  },
});

/** The workspace's provider that the caller signed in through, directly or when the calling key was made; null: none. */
async function providerBehind(db: Db, { sessionId, apiKeyId }: Caller): Promise<string | null> {
  if (apiKeyId) return (await db.apiKey.findUniqueOrThrow({ where: { id: apiKeyId } })).ssoProviderId;
  const session = await db.session.findUniqueOrThrow({ where: { id: sessionId ?? '' } });
  return session.workspaceId === null ? null : session.ssoProviderId;
}

async function requireNoPromotion(db: Db, caller: Caller, scopes: ApiKeyScope[], end: Date | null): Promise<void> {
  if (!caller.apiKeyId) return;
  const own = await db.apiKey.findUniqueOrThrow({ where: { id: caller.apiKeyId } });
  if (!isWithin(scopes, own.scopes as ApiKeyScope[]))
    throw forbidden('A key cannot create a key with more permissions.');
  if (own.expiresAt && (!end || end > own.expiresAt)) throw forbidden('A key cannot create a key with a longer life.');
}

const validate = operation({
  id: 'apiKeys.validate',
  method: 'GET',
  path: '/auth/api_keys',
  summary: 'Validate an API key and read its permissions',
  description: 'The key comes in `X-API-Key`, or as bearer token.',
  tag,
  access: publicAccess(),
  effect: readEffect(),
  reply: jsonReply(ApiKeyValidity),
  async run({ headers }) {
    const key = presentedKey(headers);
    const standing = key === null ? null : await callerFromKey(key);
    if (!standing) throw unauthorized('The API key is not valid.');
    const { scopes, expiresAt, lastUsedAt } = standing.key;
    return {
      valid: true as const,
      scopes,
      expiresAt: expiresAt?.toISOString() ?? null,
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    };
  },
});

const list = operation({
  id: 'apiKeys.list',
  method: 'GET',
  path: '/api/api-keys',
  summary: 'List the API keys that are not revoked, masked',
  tag,
  access: memberAccess('api_key', 'read'),
  effect: readEffect(),
  query: PageQuery,
  reply: jsonReply(ApiKeyPage),
  async run({ db, caller }, { query: { limit, offset } }) {
    const where = { workspaceId: caller.workspaceId, revokedAt: null };
    const [rows, total] = await Promise.all([
      db.apiKey.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit, skip: offset }),
      db.apiKey.count({ where }),
    ]);
    return { data: rows.map(presentKey), total, limit, offset };
  },
});

const revoke = operation({
  id: 'apiKeys.delete',
  method: 'DELETE',
  path: '/api/api-keys/{id}',
  summary: 'Revoke an API key',
  description: 'It stops working at once.',
  tag,
  access: memberAccess('api_key', 'delete'),
  effect: writeEffect('configuration_change'),
  params: z.strictObject({ id: z.string() }),
  async run({ db, caller, note }, { params: { id } }) {
    note({ resourceId: id });
    const { count } = await db.apiKey.updateMany({
      where: { id, workspaceId: caller.workspaceId, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    if (count === 0) throw notFound('The API key');
  },
});

export const apiKeys = [create, validate, list, revoke];
