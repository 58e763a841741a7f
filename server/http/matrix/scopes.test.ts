import { beforeAll, describe, expect, test } from 'vitest';
import { ApiKeyScope } from '@/contract/access/api-key';
import { ErrorBody } from '@/contract/error';
import type { Action, Resource } from '@/contract/access/security';
import { hashOfKey, newApiKey } from '@/server/auth/api-key';
import { prisma } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { operations } from '@/server/operations';
import { buildUser, call } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { isOpenAccess, workspaceParamIn, type Operation } from '@/server/api/operation';

useDatabase();

const keys = new Map<ApiKeyScope, string>();
let workspaceId: string;

/** Keys of an owner, who may do everything: only the scope restricts them. */
beforeAll(async () => {
  const owner = await buildUser();
  ({ workspaceId } = owner);
  for (const scope of ApiKeyScope.options) {
    const key = newApiKey();
    const row = {
      id: newId('key'),
      workspaceId,
      userId: owner.id,
      name: scope,
      hash: hashOfKey(key),
      hint: '',
      scopes: [scope],
    };
    await prisma().apiKey.create({ data: row });
    keys.set(scope, key);
  }
});

const WORK: Resource[] = [
  'workflow',
  'execution',
  'credential',
  'webhook',
  'form',
  'chat',
  'schedule',
  'poll',
  'alert',
  'variable',
  'table',
];
const ADMINISTRATION: Resource[] = ['member', 'role', 'sso_provider', 'api_key', 'audit'];
const HIDDEN: Resource[] = ['member', 'sso_provider', 'api_key', 'audit'];

const isRead = (resource: Resource, action: Action) => action === 'read' && !HIDDEN.includes(resource);

/** The documentation of each scope. */
const MAY: Record<ApiKeyScope, (resource: Resource, action: Action) => boolean> = {
  read: isRead,
  write: (resource, action) =>
    isRead(resource, action) || WORK.includes(resource) || (resource === 'connector' && action === 'use'),
  admin: (resource, action) => isRead(resource, action) || ADMINISTRATION.includes(resource),
  '*': () => true,
};

function isOpen(scope: ApiKeyScope, { access }: Operation): boolean {
  if (access.kind === 'member') return MAY[scope](access.resource, access.action);
  return access.kind === 'signed-in' && access.allowsLimited === true;
}

const closed = (operations as Operation[]).filter(({ access }) => !isOpenAccess(access));

const addressOf = ({ path, access }: Operation) =>
  path.replace(/\{(\w+)(?:\.\.\.)?\}/g, (_, name: string) =>
    name === workspaceParamIn(access) ? workspaceId : name === 'version' ? '1' : 'nothing',
  );

describe.each(closed.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  test.each(ApiKeyScope.options)('with a key for %s: 403 exactly if the scope does not cover it', async (scope) => {
    // Not JSON, so that permitted calls end at the body.
    const raw = operation.method === 'POST' || operation.method === 'PUT' ? '[]' : undefined;
    const { status, body } = await call(operation.method, addressOf(operation), {
      headers: { 'x-api-key': keys.get(scope)! },
      raw,
    });
    expect(status).toBeLessThan(500);
    expect(status === 403, JSON.stringify(body)).toBe(!isOpen(scope, operation));
    if (status === 403) expect(ErrorBody.parse(body).error.code).toBe('FORBIDDEN');
  });
});
