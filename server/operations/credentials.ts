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
} from '@/contract/credential';
import type { Credential as Row, Prisma } from '@/generated/prisma/client';
import { operation } from '../api/operation';
import { etag, expectedVersion } from '../api/precondition';
import { conflict, invalid, invalidField, notFound } from '../api/problem';
import { record } from '../auth/audit';
import { explain, fieldErrors } from '../api/zod-issues';
import { visibleTo } from '../auth/visible';
import { movedDestinations, schemaOf, splitConfig } from '../connectors/config';
import { needsAddress, probe } from '../connectors/probe';
import { openSecrets, sealSecrets } from '../connectors/secrets';
import type { Db } from '../db/client';
import { newId } from '../db/ids';
import { containing } from './workflow-content';

const Id = z.strictObject({ id: z.string() });

const shown = (row: Row): z.input<typeof Credential> => ({
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

/** The config as its schema takes it; every wrong field is named under `config`. */
function parseConfig(type: CredentialType, connectorId: string | null, config: unknown): Record<string, unknown> {
  const parsed = schemaOf(type, connectorId).safeParse(config, { error: explain });
  if (!parsed.success) throw invalid(fieldErrors(parsed.error, ['config']));
  return parsed.data;
}

/** The row, locked against a second change, if it is the caller's and as they last saw it. */
async function lock(db: Db, workspaceId: string, id: string, expected: number | undefined): Promise<Row> {
  await db.$queryRaw`SELECT id FROM credential WHERE id = ${id} AND workspace_id = ${workspaceId} FOR UPDATE`;
  const row = await db.credential.findFirst({ where: { id, workspaceId } });
  if (!row) throw notFound('The credential');
  if (expected !== undefined && expected !== row.version) throw conflict('The credential was changed meanwhile.');
  return row;
}

/** Workflows whose current definition names the credential, inner definitions included. */
const usedBy = (db: Db, workspaceId: string, id: string) =>
  // The id is random enough to be found as text; `"` on both sides keeps it whole.
  db.$queryRaw<{ id: string; name: string }[]>`
    SELECT id, name FROM workflow
    WHERE workspace_id = ${workspaceId} AND position(${`"${id}"`} IN definition::text) > 0
    ORDER BY name, id`;

const list = operation({
  id: 'credentials.list',
  method: 'GET',
  path: '/api/credentials',
  summary: 'List credentials',
  description: 'Secrets never come back; `secretFields` names those that are set.',
  tag: 'Credentials',
  access: { resource: 'credential', action: 'read' },
  isFiltered: true,
  effect: 'read',
  query: CredentialQuery,
  output: CredentialPage,
  async run({ db, caller }, { query: { limit, offset, type, connectorId, search } }) {
    const name = search ? containing(search) : undefined;
    const asked = { workspaceId: caller.workspaceId, type, connectorId, name };
    const where = { AND: [asked, visibleTo(caller, 'credential')] };
    const [rows, total] = await Promise.all([
      db.credential.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit, skip: offset }),
      db.credential.count({ where }),
    ]);
    return { data: rows.map(shown), total, limit, offset };
  },
});

const create = operation({
  id: 'credentials.create',
  method: 'POST',
  path: '/api/credentials',
  summary: 'Store a credential',
  tag: 'Credentials',
  access: { resource: 'credential', action: 'create' },
  effect: 'write',
  body: CredentialCreate,
  output: CredentialCreated,
  status: 201,
  audit: 'configuration_change',
  headers: etag,
  async run({ db, caller, note }, { body: { name, type, connectorId, config } }) {
    const { shown: publicConfig, secrets } = splitConfig(type, connectorId, parseConfig(type, connectorId, config));
    const id = newId('cred');
    note({ resourceId: id });
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
    return shown(row);
  },
});

const get = operation({
  id: 'credentials.get',
  method: 'GET',
  path: '/api/credentials/{id}',
  summary: 'Read a credential and where it is used',
  tag: 'Credentials',
  access: { resource: 'credential', action: 'read' },
  effect: 'read',
  params: Id,
  output: CredentialWithUse,
  headers: etag,
  async run({ db, caller }, { params: { id } }) {
    const row = await db.credential.findFirst({ where: { id, workspaceId: caller.workspaceId } });
    if (!row) throw notFound('The credential');
    return { ...shown(row), usedBy: await usedBy(db, caller.workspaceId, id) };
  },
});

const update = operation({
  id: 'credentials.update',
  method: 'PUT',
  path: '/api/credentials/{id}',
  summary: 'Change a credential',
  description: 'A `config` replaces the old one, but a secret that is left out is kept.',
  tag: 'Credentials',
  access: { resource: 'credential', action: 'update' },
  effect: 'write',
  params: Id,
  body: CredentialUpdate,
  output: Credential,
  audit: 'configuration_change',
  headers: etag,
  async run({ db, caller, headers, note }, { params: { id }, body: { name, config, version } }) {
    note({ resourceId: id });
    const row = await lock(db, caller.workspaceId, id, expectedVersion(headers, version));
    if (name === undefined && config === undefined) return shown(row);
    const changes = config ? configChanges(row, config) : {};
    const data = { ...changes, name, version: row.version + 1, updatedAt: new Date() };
    return shown(await db.credential.update({ where: { id }, data }));
  },
});

/** A config in the place of the old one; secrets that it leaves out are kept, new tokens begin a new life. */
function configChanges(row: Row, config: Record<string, unknown>): Prisma.CredentialUpdateInput {
  const type = row.type as CredentialType;
  const before = { config: row.config as Record<string, unknown>, secretFields: row.secretFields };
  const moved = movedDestinations(before, config);
  if (moved.length > 0) {
    throw invalid(
      moved.map((field) => ({ field: `config.${field}`, message: 'can change only along with all its secrets' })),
    );
  }
  const parsed = parseConfig(type, row.connectorId, { ...openSecrets(row.id, row.sealed), ...config });
  const { shown: publicConfig, secrets } = splitConfig(type, row.connectorId, parsed);
  const hasNewTokens = config['accessToken'] !== undefined || config['refreshToken'] !== undefined;
  return {
    config: publicConfig as Prisma.InputJsonObject,
    sealed: sealSecrets(row.id, secrets),
    secretFields: Object.keys(secrets),
    ...(hasNewTokens
      ? { tokenGeneration: row.tokenGeneration + 1, refreshingUntil: null, status: 'active', expiresAt: null }
      : {}),
  };
}

const remove = operation({
  id: 'credentials.delete',
  method: 'DELETE',
  path: '/api/credentials/{id}',
  summary: 'Delete a credential',
  description: 'Workflows that use it fail at the nodes that need it.',
  tag: 'Credentials',
  access: { resource: 'credential', action: 'delete' },
  effect: 'write',
  params: Id,
  audit: 'configuration_change',
  async run({ db, caller, note }, { params: { id } }) {
    note({ resourceId: id });
    const { count } = await db.credential.deleteMany({ where: { id, workspaceId: caller.workspaceId } });
    if (count === 0) throw notFound('The credential');
  },
});

const test = operation({
  id: 'credentials.test',
  method: 'POST',
  path: '/api/credentials/{id}/test',
  summary: 'Try whether a credential works',
  description:
    'Makes one reading call, after renewing tokens that need it: to its connector, its mail server, or the address given.',
  tag: 'Credentials',
  access: { resource: 'credential', action: 'update' },
  effect: 'submit',
  params: Id,
  body: CredentialTest,
  output: CredentialTestAnswer,
  audit: 'resource_access',
  async run(call, { params: { id }, body: { url } }) {
    const { workspaceId } = call.caller;
    const row = await call.db.credential.findFirst({
      where: { id, workspaceId },
      select: { type: true, connectorId: true },
    });
    if (!row) throw notFound('The credential');
    if (url === undefined && needsAddress(row.type, row.connectorId)) throw invalidField('url', 'is required');
    const answer = await probe(workspaceId, id, url);
    await record(call.db, [call.auditEntry()]);
    return answer;
  },
});

export const credentials = [list, create, get, update, remove, test];
