import { z } from 'zod';
import type { Prisma } from '@/generated/prisma/client';
import {
  SsoDomainCheck,
  SsoProvider,
  SsoProviderCreate,
  SsoProviderPage,
  SsoProviderUpdate,
} from '@/contract/access/sso';
import { PageQuery } from '@/contract/text';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, submitEffect, writeEffect } from '@/server/api/operation-parts';
import { notFound } from '@/server/errors/problem';
import { transaction } from '@/server/db/transaction';
import { record } from '@/server/audit/record';
import type { Caller } from '@/server/access/caller';
import { newKeyPair } from '@/server/sso/certificate';
import {
  canConfirm,
  confirmDomains,
  forgetOtherDomains,
  keepDnsProof,
  missingRecord,
  statusOf,
} from '@/server/sso/domain-proof';
import { rolesOf } from '@/server/access/roles';
import {
  authorityOf,
  columnsOf,
  fieldsOf,
  merged,
  requireSecret,
  presentProvider,
  type ProviderRow,
} from '@/server/sso/fields';
import { providerOf, sealSecrets, type SsoConfig } from '@/server/sso/provider';
import type { Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { requireBelowCap } from '@/server/quotas/caps';

const tag = 'Sign-in providers';
const Id = z.strictObject({ id: z.string() });
const include = { domainProofs: true } as const;

const list = operation({
  id: 'ssoProviders.list',
  method: 'GET',
  path: '/api/sso-providers',
  summary: 'List the workspace’s sign-in providers',
  tag,
  access: memberAccess('sso_provider', 'read'),
  effect: readEffect(),
  query: PageQuery,
  reply: jsonReply(SsoProviderPage),
  async run({ db, caller }, { query: { limit, offset } }) {
    const where = { workspaceId: caller.workspaceId };
    const [rows, total, roles] = await Promise.all([
      db.ssoProvider.findMany({
        where,
        include,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
        skip: offset,
      }),
      db.ssoProvider.count({ where }),
      rolesOf(db, caller.workspaceId),
    ]);
    return { data: rows.map((row) => presentProvider(row, roles)), total, limit, offset };
  },
});

const get = operation({
  id: 'ssoProviders.get',
  method: 'GET',
  path: '/api/sso-providers/{id}',
  summary: 'Read a sign-in provider with the values for its own settings',
  tag,
  access: memberAccess('sso_provider', 'read'),
  effect: readEffect(),
  params: Id,
  reply: jsonReply(SsoProvider),
  async run({ db, caller }, { params: { id } }) {
    return presentProvider(await find(db, caller, id), await rolesOf(db, caller.workspaceId));
  },
});

const create = operation({
  id: 'ssoProviders.create',
  method: 'POST',
  path: '/api/sso-providers',
  summary: 'Add a sign-in provider',
  tag,
  access: memberAccess('sso_provider', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(SsoProviderCreate),
  reply: jsonReply(SsoProvider, { status: 201, location: '/api/sso-providers/{id}' }),
  async run({ db, caller, note }, { body: fields }) {
    const body = fieldsOf(fields);
    await requireBelowCap(db, 'ssoProviders', caller.workspaceId);
    const id = newId('sso');
    note({ resourceId: id, metadata: { type: body.type, name: body.name } });
    const keys = body.type === 'saml' ? await newKeyPair() : null;
    const secrets = {
      clientSecret: 'clientSecret' in body ? body.clientSecret : undefined,
      privateKey: keys?.privateKey,
    };
    const columns = await columnsOf(db, caller, body, keys?.certificate);
    await db.ssoProvider.create({
      data: {
        id,
        workspaceId: caller.workspaceId,
        type: body.type,
        ...columns,
        config: toJson(columns.config),
        secrets: sealSecrets(id, secrets),
        createdBy: caller.userId,
      },
    });
    if (canConfirm(caller)) await confirmDomains(db, id, columns.domains);
    return presentProvider(await find(db, caller, id), await rolesOf(db, caller.workspaceId));
  },
});

const update = operation({
  id: 'ssoProviders.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/sso-providers/{id}',
  summary: 'Change a sign-in provider',
  description:
    'A client secret that is left out is kept, unless an address changes: then it must be given again (400). Null removes ' +
    'an optional address. Turned off, the provider ends the sessions that came through it; API keys that were made in ' +
    'them stop working.',
  tag,
  access: memberAccess('sso_provider', 'update'),
  effect: writeEffect('configuration_change'),
  params: Id,
  body: jsonBody(SsoProviderUpdate),
  reply: jsonReply(SsoProvider),
  async run({ db, caller, note }, { params: { id }, body }) {
    note({ resourceId: id, metadata: { changed: Object.keys(body) } });
    const before = await lock(db, caller, id);
    const { config, secrets } = providerOf(before);
    const roles = await rolesOf(db, caller.workspaceId);
    const fields = merged(before, roles, secrets, body);
    const columns = await columnsOf(db, caller, fields, config.ownCertificate);
    requireSecret(config, columns.config, secrets, body);
    if (authorityOf(columns.config) !== authorityOf(config)) {
      // With another authority the same subject may be another user, and proofs are void.
      await db.ssoIdentity.deleteMany({ where: { providerId: id } });
      await db.ssoAttempt.deleteMany({ where: { providerId: id } });
    }
    if (!fields.enabled) await endSessionsThrough(db, id);
    const clientSecret = 'clientSecret' in fields ? fields.clientSecret : undefined;
    const sealed = sealSecrets(id, { ...secrets, clientSecret });
    const data = { ...columns, config: toJson(columns.config), secrets: sealed, updatedAt: new Date() };
    await db.ssoProvider.update({ where: { id }, data });
    await forgetOtherDomains(db, id, columns.domains);
    if (body.domains && canConfirm(caller)) await confirmDomains(db, id, columns.domains);
    return presentProvider(await find(db, caller, id), roles);
  },
});

const remove = operation({
  id: 'ssoProviders.delete',
  method: 'DELETE',
  path: '/api/sso-providers/{id}',
  summary: 'Delete a sign-in provider, and end the sessions that came through it',
  description: 'API keys that were made in those sessions are revoked.',
  tag,
  access: memberAccess('sso_provider', 'delete'),
  effect: writeEffect('configuration_change'),
  params: Id,
  async run({ db, caller, note }, { params: { id } }) {
    note({ resourceId: id });
    const { name } = await find(db, caller, id);
    note({ metadata: { name } });
    await endSessionsThrough(db, id);
    await db.apiKey.updateMany({ where: { ssoProviderId: id, revokedAt: null }, data: { revokedAt: new Date() } });
    await db.ssoIdentity.deleteMany({ where: { providerId: id } });
    await db.ssoProvider.delete({ where: { id } });
  },
});

const verifyDomain = operation({
  id: 'ssoProviders.verifyDomain',
  method: 'POST',
  path: '/api/sso-providers/{id}/domains/{domain}/verify',
  summary: 'Verify a domain of a sign-in provider',
  description:
    'Looks for the TXT record that `domainVerification` shows, at the domain itself. Where one company runs the service ' +
    'for itself (`DEPLOYMENT_ENV` other than `saas`), a call by an owner confirms the domain without a record. The domain ' +
    'stays verified until it is removed from the provider; the record may go then.',
  tag,
  access: memberAccess('sso_provider', 'update'),
  // A DNS query can be slow: it is made outside of a transaction.
  effect: submitEffect('configuration_change'),
  params: Id.extend({ domain: z.string().max(253) }),
  reply: jsonReply(SsoDomainCheck),
  async run(call, { params: { id, domain } }) {
    const { db, caller, note } = call;
    const row = await find(db, caller, id);
    if (!row.domains.includes(domain)) throw notFound('The domain');
    const isConfirmed = canConfirm(caller);
    const problem = isConfirmed ? null : await missingRecord(caller.workspaceId, domain);
    note({
      resourceId: id,
      metadata: { domain, isVerified: problem === null, ...(problem ? { reason: problem } : {}) },
    });
    const write = async (on: Db) => {
      const { domains } = await lock(on, caller, id);
      if (!domains.includes(domain)) throw notFound('The domain');
      if (problem === null) await (isConfirmed ? confirmDomains(on, id, [domain]) : keepDnsProof(on, id, domain));
      await record(on, [call.auditEntry()]);
      const after = await find(on, caller, id);
      const [status] = statusOf({ ...after, domains: [domain] }, after.domainProofs);
      if (!status) throw notFound('The domain');
      return { ...status, problem: status.isVerified ? null : problem };
    };
    return call.inTransaction ? write(db) : transaction(true, write);
  },
});

const toJson = (config: SsoConfig) => ({ ...config }) as unknown as Prisma.InputJsonObject;

const endSessionsThrough = (db: Db, ssoProviderId: string) =>
  db.session.updateMany({ where: { ssoProviderId, endedAt: null }, data: { endedAt: new Date() } });

async function find(db: Db, caller: Caller, id: string): Promise<ProviderRow> {
  const row = await db.ssoProvider.findFirst({ where: { id, workspaceId: caller.workspaceId }, include });
  if (!row) throw notFound('The sign-in provider');
  return row;
}

/** The same, locked until the transaction ends. */
async function lock(db: Db, caller: Caller, id: string): Promise<ProviderRow> {
  await db.$queryRaw`
    SELECT id FROM sso_provider WHERE id = ${id} AND workspace_id = ${caller.workspaceId} FOR UPDATE`;
  return find(db, caller, id);
}

export const ssoProviders = [list, get, create, update, verifyDomain, remove];
