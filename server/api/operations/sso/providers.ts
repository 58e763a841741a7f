import { z } from 'zod';
import type { Prisma } from '@/generated/prisma/client';
import {
  VerifySsoDomainResponse,
  SsoProviderResponse,
  CreateSsoProviderRequest,
  ListSsoProvidersResponse,
  UpdateSsoProviderRequest,
} from '@/contract/access/sso';
import { PaginationQuery } from '@/contract/text';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, submitEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { notFoundProblem } from '@/server/platform/errors/problem';
import { runInDatabaseTransaction } from '@/server/platform/db/transaction';
import { appendAuditEntries } from '@/server/people/audit/record';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { generateSamlKeyPair } from '@/server/people/sso/certificate';
import {
  mayConfirmDomains,
  storeDomainConfirmations,
  removeOtherDomainProofs,
  storeDnsProof,
  findMissingRecord,
  toDomainStatuses,
} from '@/server/people/sso/domain-proof';
import { listWorkspaceRoles } from '@/server/people/access/roles';
import {
  providerIdentityKey,
  toProviderColumns,
  parseProviderFields,
  mergeProviderFields,
  requireClientSecret,
  toProviderResponse,
  type SsoProviderRow,
} from '@/server/people/sso/fields';
import { toIdentityProvider, sealSsoSecrets, type SsoConfig } from '@/server/people/sso/provider';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { requireBelowCap } from '@/server/platform/quotas/caps';

const SSO_PROVIDER_TAG = 'Sign-in providers';
const SsoProviderParams = z.strictObject({ id: z.string() });
const WITH_DOMAIN_PROOFS = { domainProofs: true } as const;

const listSsoProvidersOperation = defineOperation({
  id: 'ssoProviders.list',
  method: 'GET',
  path: '/api/sso-providers',
  summary: 'List the workspace’s sign-in providers',
  tag: SSO_PROVIDER_TAG,
  access: memberAccess('sso_provider', 'read'),
  effect: readEffect(),
  query: PaginationQuery,
  reply: jsonReply(ListSsoProvidersResponse),
  async run({ db, caller }, { query: { limit, offset } }) {
    const where = { workspaceId: caller.workspaceId };
    const [rows, total, roles] = await Promise.all([
      db.ssoProvider.findMany({
        where,
        include: WITH_DOMAIN_PROOFS,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
        skip: offset,
      }),
      db.ssoProvider.count({ where }),
      listWorkspaceRoles(db, caller.workspaceId),
    ]);
    return { data: rows.map((row) => toProviderResponse(row, roles)), total, limit, offset };
  },
});

const getSsoProviderOperation = defineOperation({
  id: 'ssoProviders.get',
  method: 'GET',
  path: '/api/sso-providers/{id}',
  summary: 'Read a sign-in provider with the values for its own settings',
  tag: SSO_PROVIDER_TAG,
  access: memberAccess('sso_provider', 'read'),
  effect: readEffect(),
  params: SsoProviderParams,
  reply: jsonReply(SsoProviderResponse),
  async run({ db, caller }, { params: { id } }) {
    return toProviderResponse(await findProviderRow(db, caller, id), await listWorkspaceRoles(db, caller.workspaceId));
  },
});

const createSsoProviderOperation = defineOperation({
  id: 'ssoProviders.create',
  method: 'POST',
  path: '/api/sso-providers',
  summary: 'Add a sign-in provider',
  tag: SSO_PROVIDER_TAG,
  access: memberAccess('sso_provider', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(CreateSsoProviderRequest),
  reply: jsonReply(SsoProviderResponse, { status: 201, location: '/api/sso-providers/{id}' }),
  async run({ db, caller, note }, { body: fields }) {
    const body = parseProviderFields(fields);
    await requireBelowCap(db, 'ssoProviders', caller.workspaceId);
    const id = generateId('sso');
    note({ resourceId: id, metadata: { type: body.type, name: body.name } });
    const keys = body.type === 'saml' ? await generateSamlKeyPair() : null;
    const secrets = {
      clientSecret: 'clientSecret' in body ? body.clientSecret : undefined,
      privateKey: keys?.privateKey,
    };
    const columns = await toProviderColumns(db, caller, body, keys?.certificate);
    await db.ssoProvider.create({
      data: {
        id,
        workspaceId: caller.workspaceId,
        type: body.type,
        ...columns,
        config: toSsoConfigJson(columns.config),
        secrets: sealSsoSecrets(id, secrets),
        createdBy: caller.userId,
      },
    });
    if (mayConfirmDomains(caller)) await storeDomainConfirmations(db, id, columns.domains);
    return toProviderResponse(await findProviderRow(db, caller, id), await listWorkspaceRoles(db, caller.workspaceId));
  },
});

const updateSsoProviderOperation = defineOperation({
  id: 'ssoProviders.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/sso-providers/{id}',
  summary: 'Change a sign-in provider',
  description:
    'A client secret that is left out is kept, unless an address changes: then it must be given again (400). Null removes ' +
    'an optional address. Turned off, the provider ends the sessions that came through it; API keys that were made in ' +
    'them stop working.',
  tag: SSO_PROVIDER_TAG,
  access: memberAccess('sso_provider', 'update'),
  effect: writeEffect('configuration_change'),
  params: SsoProviderParams,
  body: jsonBody(UpdateSsoProviderRequest),
  reply: jsonReply(SsoProviderResponse),
  async run({ db, caller, note }, { params: { id }, body }) {
    note({ resourceId: id, metadata: { changed: Object.keys(body) } });
    const before = await lockProviderRow(db, caller, id);
    const { config, secrets } = toIdentityProvider(before);
    const roles = await listWorkspaceRoles(db, caller.workspaceId);
    const fields = mergeProviderFields(before, roles, secrets, body);
    const columns = await toProviderColumns(db, caller, fields, config.ownCertificate);
    requireClientSecret(config, columns.config, secrets, body);
    if (providerIdentityKey(columns.config) !== providerIdentityKey(config)) {
      // With another authority the same subject may be another user, and proofs are void.
      await db.ssoIdentity.deleteMany({ where: { providerId: id } });
      await db.ssoAttempt.deleteMany({ where: { providerId: id } });
    }
    if (!fields.enabled) await endProviderSessions(db, id);
    const clientSecret = 'clientSecret' in fields ? fields.clientSecret : undefined;
    const sealed = sealSsoSecrets(id, { ...secrets, clientSecret });
    const data = { ...columns, config: toSsoConfigJson(columns.config), secrets: sealed, updatedAt: new Date() };
    await db.ssoProvider.update({ where: { id }, data });
    await removeOtherDomainProofs(db, id, columns.domains);
    if (body.domains && mayConfirmDomains(caller)) await storeDomainConfirmations(db, id, columns.domains);
    return toProviderResponse(await findProviderRow(db, caller, id), roles);
  },
});

const deleteSsoProviderOperation = defineOperation({
  id: 'ssoProviders.delete',
  method: 'DELETE',
  path: '/api/sso-providers/{id}',
  summary: 'Delete a sign-in provider, and end the sessions that came through it',
  description: 'API keys that were made in those sessions are revoked.',
  tag: SSO_PROVIDER_TAG,
  access: memberAccess('sso_provider', 'delete'),
  effect: writeEffect('configuration_change'),
  params: SsoProviderParams,
  async run({ db, caller, note }, { params: { id } }) {
    note({ resourceId: id });
    const { name } = await findProviderRow(db, caller, id);
    note({ metadata: { name } });
    await endProviderSessions(db, id);
    await db.apiKey.updateMany({ where: { ssoProviderId: id, revokedAt: null }, data: { revokedAt: new Date() } });
    await db.ssoIdentity.deleteMany({ where: { providerId: id } });
    await db.ssoProvider.delete({ where: { id } });
  },
});

const verifyDomainOperation = defineOperation({
  id: 'ssoProviders.verifyDomain',
  method: 'POST',
  path: '/api/sso-providers/{id}/domains/{domain}/verify',
  summary: 'Verify a domain of a sign-in provider',
  description:
    'Looks for the TXT record that `domainVerification` shows, at the domain itself. Where one company runs the service ' +
    'for itself (`DEPLOYMENT_ENV` other than `saas`), a call by an owner confirms the domain without a record. The domain ' +
    'stays verified until it is removed from the provider; the record may go then.',
  tag: SSO_PROVIDER_TAG,
  access: memberAccess('sso_provider', 'update'),
  // A DNS query can be slow: it is made outside of a transaction.
  effect: submitEffect('configuration_change'),
  params: SsoProviderParams.extend({ domain: z.string().max(253) }),
  reply: jsonReply(VerifySsoDomainResponse),
  async run(call, { params: { id, domain } }) {
    const { db, caller, note } = call;
    const row = await findProviderRow(db, caller, id);
    if (!row.domains.includes(domain)) throw notFoundProblem('The domain');
    const isConfirmed = mayConfirmDomains(caller);
    const problem = isConfirmed ? null : await findMissingRecord(caller.workspaceId, domain);
    note({
      resourceId: id,
      metadata: { domain, isVerified: problem === null, ...(problem ? { reason: problem } : {}) },
    });
    const write = async (on: DatabaseClient) => {
      const { domains } = await lockProviderRow(on, caller, id);
      if (!domains.includes(domain)) throw notFoundProblem('The domain');
      if (problem === null)
        await (isConfirmed ? storeDomainConfirmations(on, id, [domain]) : storeDnsProof(on, id, domain));
      await appendAuditEntries(on, [call.auditEntry()]);
      const after = await findProviderRow(on, caller, id);
      const [status] = toDomainStatuses({ ...after, domains: [domain] }, after.domainProofs);
      if (!status) throw notFoundProblem('The domain');
      return { ...status, problem: status.isVerified ? null : problem };
    };
    return call.inTransaction ? write(db) : runInDatabaseTransaction(true, write);
  },
});

const toSsoConfigJson = (config: SsoConfig) => ({ ...config }) as unknown as Prisma.InputJsonObject;

const endProviderSessions = (db: DatabaseClient, ssoProviderId: string) =>
  db.session.updateMany({ where: { ssoProviderId, endedAt: null }, data: { endedAt: new Date() } });

async function findProviderRow(db: DatabaseClient, caller: WorkspaceCaller, id: string): Promise<SsoProviderRow> {
  const row = await db.ssoProvider.findFirst({
    where: { id, workspaceId: caller.workspaceId },
    include: WITH_DOMAIN_PROOFS,
  });
  if (!row) throw notFoundProblem('The sign-in provider');
  return row;
}

/** Finds the provider and locks it until the transaction ends. */
async function lockProviderRow(db: DatabaseClient, caller: WorkspaceCaller, id: string): Promise<SsoProviderRow> {
  await db.$queryRaw`
    SELECT id FROM sso_provider WHERE id = ${id} AND workspace_id = ${caller.workspaceId} FOR UPDATE`;
  return findProviderRow(db, caller, id);
}

export const ssoProviderOperations = [
  listSsoProvidersOperation,
  getSsoProviderOperation,
  createSsoProviderOperation,
  updateSsoProviderOperation,
  verifyDomainOperation,
  deleteSsoProviderOperation,
];
