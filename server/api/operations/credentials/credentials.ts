import { z } from 'zod';
import {
  CredentialResponse,
  CreateCredentialRequest,
  CreateCredentialResponse,
  ListCredentialsResponse,
  ListCredentialsQuery,
  TestCredentialRequest,
  TestCredentialResponse,
  UpdateCredentialRequest,
  CredentialWithUsage,
} from '@/contract/credentials/credential';
import { ListServerToolsResponse } from '@/contract/mcp';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, submitEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { versionEtagHeader, readExpectedVersion } from '@/server/api/operation/precondition';
import { invalidFieldProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { appendAuditEntries } from '@/server/people/audit/record';
import { requireReferenceUse } from '@/server/people/access/references';
import { visibleRowsFilter } from '@/server/people/access/filter';
import { forgetAuthorizations } from '@/server/connectors/authorization/attempts';
import { splitCredentialConfig } from '@/server/connectors/config';
import { isCustomConnectorId } from '@/server/connectors/custom/connector';
import { findConnector } from '@/server/connectors/lookup';
import { needsTestAddress, testCredential, listMcpServerTools } from '@/server/connectors/probe';
import { sealCredentialSecrets } from '@/server/connectors/secrets';
import { generateId } from '@/server/platform/db/ids';
import { credentialConfigChanges, parseCredentialConfig } from '@/server/connectors/credential-config';
import { requireBelowCap } from '@/server/platform/quotas/caps';
import { caseInsensitiveContains } from '../workflows/workflow-rows';
import { addJsonColumns } from '../json-columns';
import { readSortedPage } from '../sorted-page';
import { findCredentialUses, lockCredential, resolveCredentialKind, toCredentialResponse } from './credential-rows';

const CredentialParams = z.strictObject({ id: z.string() });

const listCredentialsOperation = defineOperation({
  id: 'credentials.list',
  method: 'GET',
  path: '/api/credentials',
  summary: 'List credentials',
  description: 'Secrets are never returned; `secretFields` lists those that are set.',
  tag: 'Credentials',
  access: memberAccess('credential', 'read', { isFiltered: true }),
  effect: readEffect(),
  query: ListCredentialsQuery,
  reply: jsonReply(ListCredentialsResponse),
  async run({ db, caller }, { query: { limit, offset, sort, type, connectorId, search } }) {
    const name = search ? caseInsensitiveContains(search) : undefined;
    const filter = { workspaceId: caller.workspaceId, type, connectorId, name };
    const where = { AND: [filter, visibleRowsFilter(caller, 'credential')] };
    const [rows, total] = await Promise.all([
      readSortedPage(
        db,
        { table: 'credential', sort, limit, offset },
        {
          listIds: () => db.credential.findMany({ where, select: { id: true } }),
          readByTime: (order) => db.credential.findMany({ where, ...order, omit: { config: true } }),
          readByIds: (ids) => db.credential.findMany({ where: { id: { in: ids } }, omit: { config: true } }),
        },
      ),
      db.credential.count({ where }),
    ]);
    const stored = { table: 'credential', columns: { config: 'config' }, key: 'id' };
    const credentials = await addJsonColumns(db, rows, { ...stored, keyOfRow: ({ id }) => id });
    return { data: credentials.map(toCredentialResponse), total, limit, offset };
  },
});

const createCredentialOperation = defineOperation({
  id: 'credentials.create',
  method: 'POST',
  path: '/api/credentials',
  summary: 'Store a credential',
  tag: 'Credentials',
  access: memberAccess('credential', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(CreateCredentialRequest),
  reply: jsonReply(CreateCredentialResponse, {
    status: 201,
    location: '/api/credentials/{id}',
    resource: CredentialWithUsage,
    headers: versionEtagHeader,
  }),
  async run({ db, caller, note }, { body: { name, type, connectorId, config } }) {
    const kind = await resolveCredentialKind(db, caller.workspaceId, type, connectorId);
    const { publicFields: publicConfig, secrets } = splitCredentialConfig(kind, parseCredentialConfig(kind, config));
    await requireBelowCap(db, 'credentials', caller.workspaceId);
    const id = generateId('cred');
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
        sealed: sealCredentialSecrets(id, secrets),
        secretFields: Object.keys(secrets),
        version: 1,
        createdBy: caller.userId,
      },
    });
    return toCredentialResponse(row);
  },
});

const getCredentialOperation = defineOperation({
  id: 'credentials.get',
  method: 'GET',
  path: '/api/credentials/{id}',
  summary: 'Read a credential and where it is used',
  tag: 'Credentials',
  access: memberAccess('credential', 'read'),
  effect: readEffect(),
  params: CredentialParams,
  reply: jsonReply(CredentialWithUsage, { headers: versionEtagHeader }),
  async run({ db, caller }, { params: { id } }) {
    const row = await db.credential.findFirst({ where: { id, workspaceId: caller.workspaceId } });
    if (!row) throw notFoundProblem('The credential');
    return { ...toCredentialResponse(row), ...(await findCredentialUses(db, caller, id)) };
  },
});

const updateCredentialOperation = defineOperation({
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
  params: CredentialParams,
  body: jsonBody(UpdateCredentialRequest),
  reply: jsonReply(CredentialResponse, { resource: CredentialWithUsage, headers: versionEtagHeader }),
  async run({ db, caller, headers, note }, { params: { id }, body: { name, config, version } }) {
    note({ resourceId: id });
    const row = await lockCredential(db, caller.workspaceId, id, readExpectedVersion(headers, version));
    if (name === undefined && config === undefined) return toCredentialResponse(row);
    const custom = isCustomConnectorId(row.connectorId)
      ? await findConnector(caller.workspaceId, row.connectorId, db, true)
      : undefined;
    const { data: changes, isMoved } = config
      ? credentialConfigChanges(row, config, custom)
      : { data: {}, isMoved: false };
    // A pending authorization must not restore them: it began with the old addresses.
    if (isMoved) await forgetAuthorizations(db, caller.workspaceId, id);
    const data = { ...changes, name, version: row.version + 1, updatedAt: new Date() };
    return toCredentialResponse(await db.credential.update({ where: { id }, data }));
  },
});

const deleteCredentialOperation = defineOperation({
  id: 'credentials.delete',
  method: 'DELETE',
  path: '/api/credentials/{id}',
  summary: 'Delete a credential',
  description: 'Workflows that use it fail at the nodes that need it.',
  tag: 'Credentials',
  access: memberAccess('credential', 'delete'),
  effect: writeEffect('configuration_change'),
  params: CredentialParams,
  async run({ db, caller, note }, { params: { id } }) {
    note({ resourceId: id });
    const where = { id, workspaceId: caller.workspaceId };
    const row = await db.credential.findFirst({ where, select: { name: true } });
    if (row) note({ metadata: row });
    const { count } = await db.credential.deleteMany({ where });
    if (count === 0) throw notFoundProblem('The credential');
  },
});

const testCredentialOperation = defineOperation({
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
  params: CredentialParams,
  body: jsonBody(TestCredentialRequest),
  reply: jsonReply(TestCredentialResponse),
  async run(call, { params: { id }, body: { url } }) {
    const { workspaceId } = call.caller;
    const row = await call.db.credential.findFirst({
      where: { id, workspaceId },
      select: { type: true, connectorId: true },
    });
    if (!row) throw notFoundProblem('The credential');
    await requireReferenceUse(call.db, call.caller, { resource: 'credential', id });
    if (url === undefined && needsTestAddress(row.type, row.connectorId))
      throw invalidFieldProblem('url', 'is required');
    const answer = await testCredential(workspaceId, id, url);
    await appendAuditEntries(call.db, [call.auditEntry()]);
    return answer;
  },
});

const listServerToolsOperation = defineOperation({
  id: 'credentials.tools',
  method: 'GET',
  path: '/api/credentials/{id}/tools',
  summary: 'List the tools of an MCP server',
  description: 'Asks the server of a credential of the type `mcp`. This sends the credential.',
  tag: 'Credentials',
  access: memberAccess('credential', 'use'),
  effect: readEffect(),
  params: CredentialParams,
  reply: jsonReply(ListServerToolsResponse),
  async run({ db, caller }, { params: { id } }) {
    const { workspaceId } = caller;
    const row = await db.credential.findFirst({ where: { id, workspaceId }, select: { type: true } });
    if (!row) throw notFoundProblem('The credential');
    if (row.type !== 'mcp') throw invalidFieldProblem('id', 'is not the credential of an MCP server');
    return listMcpServerTools(workspaceId, id);
  },
});

export const credentialOperations = [
  listCredentialsOperation,
  createCredentialOperation,
  getCredentialOperation,
  updateCredentialOperation,
  deleteCredentialOperation,
  testCredentialOperation,
  listServerToolsOperation,
];

export { createCredentialOperation };
