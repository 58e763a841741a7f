import { z } from 'zod';
import type { SsoProvider as Row } from '@/generated/prisma/client';
import { SsoProvider, SsoProviderCreate, SsoProviderPage, SsoProviderUpdate } from '@/contract/sso';
import { PageQuery } from '@/contract/text';
import { operation } from '../api/operation';
import { notFound } from '../api/problem';
import type { Caller } from '../auth/caller';
import { newKeyPair } from '../auth/certificate';
import { rolesOf } from '../auth/roles';
import { authorityOf, columnsOf, fieldsOf, merged, shown } from '../auth/sso-fields';
import { providerOf, sealSecrets } from '../auth/sso-provider';
import type { Db } from '../db/client';
import { newId } from '../db/ids';

const tag = 'Sign-in providers';
const Id = z.strictObject({ id: z.string() });

const list = operation({
  id: 'ssoProviders.list',
  method: 'GET',
  path: '/api/sso-providers',
  summary: 'List the workspace’s sign-in providers',
  tag,
  access: { resource: 'sso_provider', action: 'read' },
  effect: 'read',
  query: PageQuery,
  output: SsoProviderPage,
  async run({ db, caller }, { query: { limit, offset } }) {
    const where = { workspaceId: caller.workspaceId };
    const [rows, total, roles] = await Promise.all([
      db.ssoProvider.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit, skip: offset }),
      db.ssoProvider.count({ where }),
      rolesOf(db, caller.workspaceId),
    ]);
    return { data: rows.map((row) => shown(row, roles)), total, limit, offset };
  },
});

const get = operation({
  id: 'ssoProviders.get',
  method: 'GET',
  path: '/api/sso-providers/{id}',
  summary: 'One sign-in provider, with what to copy into its own settings',
  tag,
  access: { resource: 'sso_provider', action: 'read' },
  effect: 'read',
  params: Id,
  output: SsoProvider,
  async run({ db, caller }, { params: { id } }) {
    return shown(await find(db, caller, id), await rolesOf(db, caller.workspaceId));
  },
});

const create = operation({
  id: 'ssoProviders.create',
  method: 'POST',
  path: '/api/sso-providers',
  summary: 'Let people sign in through a provider',
  tag,
  access: { resource: 'sso_provider', action: 'create' },
  effect: 'write',
  audit: 'configuration_change',
  body: SsoProviderCreate,
  output: SsoProvider,
  status: 201,
  async run({ db, caller, note }, { body: given }) {
    const body = fieldsOf(given);
    const id = newId('sso');
    note({ resourceId: id, metadata: { type: body.type, name: body.name } });
    const keys = body.type === 'saml' ? await newKeyPair() : null;
    const secrets = {
      clientSecret: 'clientSecret' in body ? body.clientSecret : undefined,
      privateKey: keys?.privateKey,
    };
    const columns = await columnsOf(db, caller, body, keys?.certificate);
    const row = await db.ssoProvider.create({
      data: {
        id,
        workspaceId: caller.workspaceId,
        type: body.type,
        ...columns,
        secrets: sealSecrets(id, secrets),
        createdBy: caller.userId,
      },
    });
    return shown(row, await rolesOf(db, caller.workspaceId));
  },
});

const update = operation({
  id: 'ssoProviders.update',
  method: 'PUT',
  path: '/api/sso-providers/{id}',
  summary: 'Change a sign-in provider',
  description:
    'A client secret that is left out is kept; null removes an optional address. Turned off, it ends the sessions that came through it.',
  tag,
  access: { resource: 'sso_provider', action: 'update' },
  effect: 'write',
  audit: 'configuration_change',
  params: Id,
  body: SsoProviderUpdate,
  output: SsoProvider,
  async run({ db, caller, note }, { params: { id }, body }) {
    note({ resourceId: id, metadata: { changed: Object.keys(body) } });
    const before = await find(db, caller, id);
    const { config, secrets } = providerOf(before);
    const roles = await rolesOf(db, caller.workspaceId);
    const fields = merged(before, roles, secrets, body);
    const columns = await columnsOf(db, caller, fields, config.ownCertificate);
    // Under another authority the same subject may be somebody else.
    if (authorityOf(columns.config) !== authorityOf(config))
      await db.ssoIdentity.deleteMany({ where: { providerId: id } });
    if (!fields.enabled) await endSessionsThrough(db, id);
    const clientSecret = 'clientSecret' in fields ? fields.clientSecret : undefined;
    const row = await db.ssoProvider.update({
      where: { id },
      data: { ...columns, secrets: sealSecrets(id, { ...secrets, clientSecret }), updatedAt: new Date() },
    });
    return shown(row, roles);
  },
});

const remove = operation({
  id: 'ssoProviders.delete',
  method: 'DELETE',
  path: '/api/sso-providers/{id}',
  summary: 'Delete a sign-in provider, and end the sessions that came through it',
  tag,
  access: { resource: 'sso_provider', action: 'delete' },
  effect: 'write',
  audit: 'configuration_change',
  params: Id,
  async run({ db, caller, note }, { params: { id } }) {
    note({ resourceId: id });
    await find(db, caller, id);
    await endSessionsThrough(db, id);
    await db.ssoIdentity.deleteMany({ where: { providerId: id } });
    await db.ssoProvider.delete({ where: { id } });
  },
});

const endSessionsThrough = (db: Db, ssoProviderId: string) =>
  db.session.updateMany({ where: { ssoProviderId, endedAt: null }, data: { endedAt: new Date() } });

async function find(db: Db, caller: Caller, id: string): Promise<Row> {
  const row = await db.ssoProvider.findFirst({ where: { id, workspaceId: caller.workspaceId } });
  if (!row) throw notFound('The sign-in provider');
  return row;
}

export const ssoProviders = [list, get, create, update, remove];
