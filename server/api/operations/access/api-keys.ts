import { z } from 'zod';
import {
  CreateApiKeyRequest,
  CreateApiKeyResponse,
  ListApiKeysResponse,
  ApiKeyValidity,
  type ApiKeyScope,
} from '@/contract/access/api-key';
import { PaginationQuery } from '@/contract/text';
import { memberAccess, defineOperation, publicAccess } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import {
  forbiddenProblem,
  invalidFieldProblem,
  notFoundProblem,
  unauthorizedProblem,
} from '@/server/platform/errors/problem';
import { findApiKeyCaller, hashApiKey, generateApiKey, readPresentedApiKey } from '@/server/people/auth/api-key';
import { areScopesWithin } from '@/server/people/access/scopes';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { generateId } from '@/server/platform/db/ids';
import type { DatabaseClient } from '@/server/platform/db/client';
import { requireBelowCap } from '@/server/platform/quotas/caps';
import type { ApiKey as Row } from '@/generated/prisma/client';

const API_KEY_TAG = 'API keys';
const KEY_HINT_LENGTH = 4;

const toApiKeyResponse = (row: Row) => ({
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

const createApiKeyOperation = defineOperation({
  id: 'apiKeys.create',
  method: 'POST',
  path: '/auth/api_keys',
  summary: 'Create an API key',
  description:
    'The key is shown here and never again. It may do what its creator may do in this workspace, restricted by its scopes. ' +
    'A key cannot create a key with more permissions or a longer life. A key that is created in a session of the ' +
    'workspace’s sign-in provider works while the provider is enabled, and ends with it.',
  tag: API_KEY_TAG,
  access: memberAccess('api_key', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(CreateApiKeyRequest),
  reply: jsonReply(CreateApiKeyResponse, { status: 201 }),
  async run({ db, caller, note }, { body: { name, scopes, expiresAt } }) {
    const end = expiresAt ? new Date(expiresAt) : null;
    if (end && end <= new Date()) throw invalidFieldProblem('expiresAt', 'must lie in the future');
    await requireNoEscalation(db, caller, scopes, end);
    await requireBelowCap(db, 'apiKeys', caller.workspaceId);
    const key = generateApiKey();
    const id = generateId('key');
    note({ resourceId: id, metadata: { name, scopes, expiresAt: end } });
    const row = await db.apiKey.create({
      data: {
        id,
        workspaceId: caller.workspaceId,
        userId: caller.userId,
        name,
        hash: hashApiKey(key),
        hint: key.slice(-KEY_HINT_LENGTH),
        scopes,
        expiresAt: end,
        ssoProviderId: await findSignInProviderId(db, caller),
      },
    });
    return { ...toApiKeyResponse(row), key };
  },
});

/** Returns the workspace's sign-in provider behind the caller's session or API key, or null if there is none. */
async function findSignInProviderId(
  db: DatabaseClient,
  { sessionId, apiKeyId }: WorkspaceCaller,
): Promise<string | null> {
  if (apiKeyId) return (await db.apiKey.findUniqueOrThrow({ where: { id: apiKeyId } })).ssoProviderId;
  const session = await db.session.findUniqueOrThrow({ where: { id: sessionId ?? '' } });
  return session.workspaceId === null ? null : session.ssoProviderId;
}

async function requireNoEscalation(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  scopes: ApiKeyScope[],
  end: Date | null,
): Promise<void> {
  if (!caller.apiKeyId) return;
  const own = await db.apiKey.findUniqueOrThrow({ where: { id: caller.apiKeyId } });
  if (!areScopesWithin(scopes, own.scopes as ApiKeyScope[]))
    throw forbiddenProblem('A key cannot create a key with more permissions.');
  if (own.expiresAt && (!end || end > own.expiresAt))
    throw forbiddenProblem('A key cannot create a key with a longer life.');
}

const validateApiKeyOperation = defineOperation({
  id: 'apiKeys.validate',
  method: 'GET',
  path: '/auth/api_keys',
  summary: 'Validate an API key and read its permissions',
  description: 'The key comes in `X-API-Key`, or as bearer token.',
  tag: API_KEY_TAG,
  access: publicAccess(),
  effect: readEffect(),
  reply: jsonReply(ApiKeyValidity),
  async run({ headers }) {
    const key = readPresentedApiKey(headers);
    const standing = key === null ? null : await findApiKeyCaller(key);
    if (!standing) throw unauthorizedProblem('The API key is not valid.');
    const { scopes, expiresAt, lastUsedAt } = standing.key;
    return {
      valid: true as const,
      scopes,
      expiresAt: expiresAt?.toISOString() ?? null,
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    };
  },
});

const listApiKeysOperation = defineOperation({
  id: 'apiKeys.list',
  method: 'GET',
  path: '/api/api-keys',
  summary: 'List the API keys that are not revoked, masked',
  tag: API_KEY_TAG,
  access: memberAccess('api_key', 'read'),
  effect: readEffect(),
  query: PaginationQuery,
  reply: jsonReply(ListApiKeysResponse),
  async run({ db, caller }, { query: { limit, offset } }) {
    const where = { workspaceId: caller.workspaceId, revokedAt: null };
    const [rows, total] = await Promise.all([
      db.apiKey.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit, skip: offset }),
      db.apiKey.count({ where }),
    ]);
    return { data: rows.map(toApiKeyResponse), total, limit, offset };
  },
});

const revokeApiKeyOperation = defineOperation({
  id: 'apiKeys.delete',
  method: 'DELETE',
  path: '/api/api-keys/{id}',
  summary: 'Revoke an API key',
  description: 'It stops working at once.',
  tag: API_KEY_TAG,
  access: memberAccess('api_key', 'delete'),
  effect: writeEffect('configuration_change'),
  params: z.strictObject({ id: z.string() }),
  async run({ db, caller, note }, { params: { id } }) {
    note({ resourceId: id });
    const { count } = await db.apiKey.updateMany({
      where: { id, workspaceId: caller.workspaceId, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    if (count === 0) throw notFoundProblem('The API key');
  },
});

export const apiKeyOperations = [
  createApiKeyOperation,
  validateApiKeyOperation,
  listApiKeysOperation,
  revokeApiKeyOperation,
];
