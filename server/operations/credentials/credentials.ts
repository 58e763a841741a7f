import { z } from 'zod';
import {
  Credential,
  CredentialCreate,
  CredentialCreated,
  CredentialPage,
  CredentialQuery,
  CredentialTest,
  CredentialTestAnswer,
  CredentialUpdate,
  CredentialWithUse,
  type CredentialType,
} from '@/contract/credentials/credential';
import { ServerToolList } from '@/contract/mcp';
import type { Credential as Row } from '@/generated/prisma/client';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, submitEffect, writeEffect } from '@/server/api/operation-parts';
import { etag, expectedVersion } from '@/server/api/precondition';
import { conflict, invalidField, notFound } from '@/server/errors/problem';
import { record } from '@/server/audit/record';
import type { Caller } from '@/server/access/caller';
import { requireUse } from '@/server/access/references';
import { visibleTo } from '@/server/access/filter';
import { forgetAttempts } from '@/server/connectors/authorization/attempts';
import { splitConfig, type CredentialKind } from '@/server/connectors/config';
import { isCustomId } from '@/server/connectors/custom/connector';
import { findConnector, isOfConnector } from '@/server/connectors/lookup';
import { needsAddress, probe, toolsOfServer } from '@/server/connectors/probe';
import { sealSecrets } from '@/server/connectors/secrets';
import type { Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { workflowsNaming } from '@/server/workflow/credentials';
import { configChanges, parseConfig } from '@/server/connectors/credential-config';
import { requireBelowCap } from '@/server/quotas/caps';
import { containing } from '../workflows/content';
import { addJsonColumns } from '../json-columns';

const Id = z.strictObject({ id: z.string() });

const presentCredential = (row: Row): z.input<typeof Credential> => ({
  id: row.id,
  name: row.name,
  type: row.type as CredentialType,
  connectorId: row.connectorId,
  status: row.status as 'active',
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  createdBy: row.createdBy,
  workspaceId: row.workspaceId,
  version: row.version,
  config: row.config as Record<string, unknown>,
  secretFields: row.secretFields,
});

/** The kind of a new credential. Throws a 400 for a token of something that takes none, and for an unknown connector of the workspace. */
async function newKind(
  db: Db,
  workspaceId: string,
  type: CredentialType,
  connectorId: string | null,
): Promise<CredentialKind> {
  // The secrets are for the addresses that the connector has now.
  const connector = isOfConnector(type) ? await findConnector(workspaceId, connectorId, db, true) : undefined;
  if (isCustomId(connectorId) && !connector)
    throw invalidField('connectorId', isOfConnector(type) ? 'is not a connector of the workspace' : `takes no ${type}`);
  if (type === 'token' && !connector?.token) {
    throw invalidField('connectorId', 'must be a connector that takes a token');
  }
  return { type, connectorId, connector };
}

/** Reads and locks the row, if it is the workspace's and at the expected version. */
async function lock(db: Db, workspaceId: string, id: string, expected: number | undefined): Promise<Row> {
  await db.$queryRaw`SELECT id FROM credential WHERE id = ${id} AND workspace_id = ${workspaceId} FOR UPDATE`;
  const row = await db.credential.findFirst({ where: { id, workspaceId } });
  if (!row) throw notFound('The credential');
  if (expected !== undefined && expected !== row.version) throw conflict('The credential was changed meanwhile.');
  return row;
}

/** The workflows that refer to the credential: those that the caller may read, and the number of others. */
async function useOf(db: Db, caller: Caller, id: string) {
  const ids = await workflowsNaming(db, caller.workspaceId, id);
  const usedBy = await db.workflow.findMany({
    where: { AND: [{ id: { in: ids } }, visibleTo(caller, 'workflow')] },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  return { usedBy, otherUses: ids.length - usedBy.length };
}

const list = operation({
  id: 'credentials.list',
  method: 'GET',
  path: '/api/credentials',
  summary: 'List credentials',
  description: 'Secrets are never returned; `secretFields` lists those that are set.',
  tag: 'Credentials',
  access: memberAccess('credential', 'read', { isFiltered: true }),
  effect: readEffect(),
  query: CredentialQuery,
  reply: jsonReply(CredentialPage),
  async run({ db, caller }, { query: { limit, offset, type, connectorId, search } }) {
    const name = search ? containing(search) : undefined;
    const filter = { workspaceId: caller.workspaceId, type, connectorId, name };
    const where = { AND: [filter, visibleTo(caller, 'credential')] };
    const [rows, total] = await Promise.all([
      db.credential.findMany({
        where,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
        skip: offset,
        omit: { config: true },
      }),
      db.credential.count({ where }),
    ]);
    const stored = { table: 'credential', columns: { config: 'config' }, key: 'id' };
    const credentials = await addJsonColumns(db, rows, { ...stored, keyOfRow: ({ id }) => id });
    return { data: credentials.map(presentCredential), total, limit, offset };
  },
});

const create = operation({
  id: 'credentials.create',
  method: 'POST',
  path: '/api/credentials',
  summary: 'Store a credential',
  tag: 'Credentials',
  access: memberAccess('credential', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(CredentialCreate),
  reply: jsonReply(CredentialCreated, {
    status: 201,
    location: '/api/credentials/{id}',
    resource: CredentialWithUse,
    headers: etag,
  }),
  async run({ db, caller, note }, { body: { name, type, connectorId, config } }) {
    const kind = await newKind(db, caller.workspaceId, type, connectorId);
    const { publicFields: publicConfig, secrets } = splitConfig(kind, parseConfig(kind, config));
    await requireBelowCap(db, 'credentials', caller.workspaceId);
    const id = newId('cred');
    note({ resourceId: id, metadata: { name } });
    const row = await db.credential.create({
      data: {
        id,
        workspaceId: caller.workspaceId,
        name,
        type,
        connectorId,
        status: 'active',
        config: publicConfig as object,
        sealed: sealSecrets(id, secrets),
        secretFields: Object.keys(secrets),
        version: 1,
        createdBy: caller.userId,
      },
    });
    return presentCredential(row);
  },
});

const get = operation({
  id: 'credentials.get',
  method: 'GET',
  path: '/api/credentials/{id}',
  summary: 'Read a credential and where it is used',
  tag: 'Credentials',
  access: memberAccess('credential', 'read'),
  effect: readEffect(),
  params: Id,
  reply: jsonReply(CredentialWithUse, { headers: etag }),
  async run({ db, caller }, { params: { id } }) {
    const row = await db.credential.findFirst({ where: { id, workspaceId: caller.workspaceId } });
    if (!row) throw notFound('The credential');
    return { ...presentCredential(row), ...(await useOf(db, caller, id)) };
  },
});

const update = operation({
  id: 'credentials.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/credentials/{id}',
  summary: 'Change a credential',
  description:
    'A `config` replaces the old one, but a secret that is left out is kept. Secrets do not follow a changed destination: ' +
    'when an address or host that they may be sent to is added, changed or removed, or `allowedHosts` allows more than ' +
    'before, all secrets must be given again (400 on each that is missing). Tokens that the provider granted are removed ' +
    'then; `status` is `expired` until the credential is connected again, unless its client gets tokens by itself.',
  tag: 'Credentials',
  access: memberAccess('credential', 'update'),
  effect: writeEffect('configuration_change'),
  params: Id,
  body: jsonBody(CredentialUpdate),
  reply: jsonReply(Credential, { resource: CredentialWithUse, headers: etag }),
  async run({ db, caller, headers, note }, { params: { id }, body: { name, config, version } }) {
    note({ resourceId: id });
    const row = await lock(db, caller.workspaceId, id, expectedVersion(headers, version));
    if (name === undefined && config === undefined) return presentCredential(row);
    const custom = isCustomId(row.connectorId)
      ? await findConnector(caller.workspaceId, row.connectorId, db, true)
      : undefined;
    const { data: changes, isMoved } = config ? configChanges(row, config, custom) : { data: {}, isMoved: false };
    // A pending authorization must not restore them: it began with the old addresses.
    if (isMoved) await forgetAttempts(db, caller.workspaceId, id);
    const data = { ...changes, name, version: row.version + 1, updatedAt: new Date() };
    return presentCredential(await db.credential.update({ where: { id }, data }));
  },
});

const remove = operation({
  id: 'credentials.delete',
  method: 'DELETE',
  path: '/api/credentials/{id}',
  summary: 'Delete a credential',
  description: 'Workflows that use it fail at the nodes that need it.',
  tag: 'Credentials',
  access: memberAccess('credential', 'delete'),
  effect: writeEffect('configuration_change'),
  params: Id,
  async run({ db, caller, note }, { params: { id } }) {
    note({ resourceId: id });
    const where = { id, workspaceId: caller.workspaceId };
    const row = await db.credential.findFirst({ where, select: { name: true } });
    if (row) note({ metadata: row });
    const { count } = await db.credential.deleteMany({ where });
    if (count === 0) throw notFound('The credential');
  },
});

const test = operation({
  id: 'credentials.test',
  method: 'POST',
  path: '/api/credentials/{id}/test',
  summary: 'Test a credential',
  description:
    'Makes one reading call, after renewing tokens that need it: to its connector, its mail server, or the address given. ' +
    'This sends the credential, so it needs `credential:use` as well.',
  tag: 'Credentials',
  access: memberAccess('credential', 'update'),
  effect: submitEffect('resource_access'),
  params: Id,
  body: jsonBody(CredentialTest),
  reply: jsonReply(CredentialTestAnswer),
  async run(call, { params: { id }, body: { url } }) {
    const { workspaceId } = call.caller;
    const row = await call.db.credential.findFirst({
      where: { id, workspaceId },
      select: { type: true, connectorId: true },
    });
    if (!row) throw notFound('The credential');
    await requireUse(call.db, call.caller, { resource: 'credential', id });
    if (url === undefined && needsAddress(row.type, row.connectorId)) throw invalidField('url', 'is required');
    const answer = await probe(workspaceId, id, url);
    await record(call.db, [call.auditEntry()]);
    return answer;
  },
});

const tools = operation({
  id: 'credentials.tools',
  method: 'GET',
  path: '/api/credentials/{id}/tools',
  summary: 'List the tools of an MCP server',
  description: 'Asks the server of a credential of the type `mcp`. This sends the credential.',
  tag: 'Credentials',
  access: memberAccess('credential', 'use'),
  effect: readEffect(),
  params: Id,
  reply: jsonReply(ServerToolList),
  async run({ db, caller }, { params: { id } }) {
    const { workspaceId } = caller;
    const row = await db.credential.findFirst({ where: { id, workspaceId }, select: { type: true } });
    if (!row) throw notFound('The credential');
    if (row.type !== 'mcp') throw invalidField('id', 'is not the credential of an MCP server');
    return toolsOfServer(workspaceId, id);
  },
});

export const credentials = [list, create, get, update, remove, test, tools];

export { create as createCredential };
