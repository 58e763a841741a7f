import { z } from 'zod';
import type { Prisma, SsoProvider as Row } from '@/generated/prisma/client';
import {
  SsoProvider,
  SsoProviderCreate,
  SsoProviderFields,
  SsoProviderPage,
  SsoProviderUpdate,
  type SsoOutcome,
  type SsoPreset,
} from '@/contract/sso';
import { PageQuery } from '@/contract/text';
import { operation } from '../api/operation';
import { invalid, invalidField, notFound } from '../api/problem';
import { explain, fieldErrors } from '../api/zod-issues';
import { certificatesIn, newKeyPair } from '../auth/certificate';
import type { Caller } from '../auth/caller';
import { grantableRoles, rolesOf, type AnyRole } from '../auth/roles';
import { providerOf, sealSecrets, ssoAddresses, type Provider, type SsoConfig, type SsoSecrets } from '../auth/sso-provider';
import type { Db } from '../db/client';
import { newId } from '../db/ids';
import { runtime } from '../runtime';

const tag = 'Sign-in providers';
const Id = z.strictObject({ id: z.string() });

const list = operation({
  id: 'sso_providers.list',
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
  id: 'sso_providers.get',
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
  id: 'sso_providers.create',
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
    const secrets = { clientSecret: 'clientSecret' in body ? body.clientSecret : undefined, privateKey: keys?.privateKey };
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
  id: 'sso_providers.update',
  method: 'PUT',
  path: '/api/sso-providers/{id}',
  summary: 'Change a sign-in provider',
  description: 'A client secret that is left out is kept; null removes an optional address. Turned off, it ends the sessions that came through it.',
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
    if (authorityOf(columns.config) !== authorityOf(config)) await db.ssoIdentity.deleteMany({ where: { providerId: id } });
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
  id: 'sso_providers.delete',
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

/** Whose word it is that says who somebody is. */
const authorityOf = (config: object): string => {
  const { issuer, entityId, authorizationUrl, tokenUrl, userInfoUrl, preset } = config as SsoConfig;
  return JSON.stringify([issuer, entityId, authorizationUrl, tokenUrl, userInfoUrl, preset]);
};

/** What is there, with the changes; checked like a new one. */
function merged(row: Row, roles: readonly AnyRole[], secrets: SsoSecrets, body: z.output<typeof SsoProviderUpdate>): SsoProviderFields {
  const { id: _i, hasClientSecret: _h, setup: _s, lastSignIn: _l, createdAt: _c, updatedAt: _u, ...fields } = shown(row, roles);
  const { clientSecret } = secrets;
  const all = Object.entries({ ...fields, clientSecret, ...defined(body) }).filter(([, value]) => value !== null && value !== undefined);
  if (body.type !== undefined && body.type !== row.type) throw invalidField('type', 'can’t be changed');
  return fieldsOf(Object.fromEntries(all));
}

/** A provider as its type wants it. */
function fieldsOf(given: object): SsoProviderFields {
  const parsed = SsoProviderFields.safeParse(defined(given), { error: explain });
  if (parsed.error) throw invalid(fieldErrors(parsed.error));
  return parsed.data;
}

const defined = (body: object) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

/** The row's columns, with every role checked: nobody lets others in with more than they have. */
async function columnsOf(db: Db, caller: Caller, fields: SsoProviderFields, ownCertificate: string | undefined) {
  const { type, name, enabled, domains, defaultRole, groupRoles, ...rest } = fields;
  const [standard] = await grantableRoles(db, caller, [defaultRole], 'defaultRole');
  const mapped = await grantableRoles(db, caller, groupRoles.map(({ role }) => role), 'groupRoles');
  const config: SsoConfig = {
    ...('clientSecret' in rest ? { ...rest, clientSecret: undefined } : rest),
    ...(type === 'saml' ? { certificate: checkedCertificate(fields), ownCertificate } : {}),
    groupRoles: groupRoles.map(({ group }, index) => ({ group, role: mapped[index]?.id ?? '' })),
    authority: caller.permissions,
  };
  for (const field of ADDRESSES) requireSafe(field, config[field]);
  const plain = JSON.parse(JSON.stringify(config)) as Prisma.InputJsonObject;
  return { name, enabled, domains, defaultRole: standard?.id ?? '', config: plain };
}

const ADDRESSES = ['issuer', 'authorizationUrl', 'tokenUrl', 'userInfoUrl', 'ssoUrl', 'sloUrl'] as const;

/** Codes, secrets and people's browsers go to these. */
function requireSafe(field: string, address: string | undefined): void {
  if (address?.startsWith('http:') && !runtime().env.egressAllowPrivate) throw invalidField(field, 'must begin with https');
}

function checkedCertificate(fields: SsoProviderFields): string {
  const pems = 'certificate' in fields ? certificatesIn(fields.certificate) : null;
  if (!pems) throw invalidField('certificate', 'is not an X.509 certificate');
  return pems.join('');
}

function shown(row: Row, roles: readonly AnyRole[]): z.input<typeof SsoProvider> {
  const { id, name, enabled, domains, type, config, secrets }: Provider = providerOf(row);
  const { authority: _, ownCertificate, groupRoles, ...rest } = config;
  const nameOf = (roleId: string) => roles.find((role) => role.id === roleId)?.name ?? roleId;
  return {
    ...rest,
    id,
    type,
    name,
    enabled,
    domains,
    preset: rest.preset as SsoPreset | undefined,
    defaultRole: nameOf(row.defaultRole),
    groupRoles: groupRoles.map(({ group, role }) => ({ group, role: nameOf(role) })),
    hasClientSecret: secrets.clientSecret !== undefined,
    setup: setupOf(id, type, ownCertificate),
    lastSignIn: row.lastSignIn as unknown as SsoOutcome | null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function setupOf(id: string, type: Provider['type'], certificate: string | undefined) {
  const { redirectUri, ...saml } = ssoAddresses(id);
  return type === 'saml' ? { ...saml, certificate } : { redirectUri };
}

export const ssoProviders = [list, get, create, update, remove];
