import type { z } from 'zod';
import {
  SsoProviderFields,
  type SsoOutcome,
  type SsoPreset,
  type SsoProvider,
  type SsoProviderUpdate,
} from '@/contract/sso';
import type { Prisma, SsoProvider as Row } from '@/generated/prisma/client';
import { invalid, invalidField } from '../api/problem';
import { explain, fieldErrors } from '../api/zod-issues';
import type { Db } from '../db/client';
import { runtime } from '../runtime';
import type { Caller } from './caller';
import { certificatesIn } from './certificate';
import { grantableRoles, type AnyRole } from './roles';
import { providerOf, ssoAddresses, type Provider, type SsoConfig, type SsoSecrets } from './sso-provider';

/** Whose word it is that says who somebody is. */
export const authorityOf = (config: object): string => {
  const { issuer, entityId, authorizationUrl, tokenUrl, userInfoUrl, preset } = config as SsoConfig;
  return JSON.stringify([issuer, entityId, authorizationUrl, tokenUrl, userInfoUrl, preset]);
};

/** What is there, with the changes; checked like a new one. */
export function merged(
  row: Row,
  roles: readonly AnyRole[],
  secrets: SsoSecrets,
  body: SsoProviderUpdate,
): SsoProviderFields {
  const {
    id: _i,
    hasClientSecret: _h,
    setup: _s,
    lastSignIn: _l,
    createdAt: _c,
    updatedAt: _u,
    ...fields
  } = shown(row, roles);
  const { clientSecret } = secrets;
  const all = Object.entries({ ...fields, clientSecret, ...defined(body) }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  if (body.type !== undefined && body.type !== row.type) throw invalidField('type', 'can’t be changed');
  return fieldsOf(Object.fromEntries(all));
}

/** A provider as its type wants it. */
export function fieldsOf(given: object): SsoProviderFields {
  const parsed = SsoProviderFields.safeParse(defined(given), { error: explain });
  if (parsed.error) throw invalid(fieldErrors(parsed.error));
  return parsed.data;
}

const defined = (body: object) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

/** The row's columns, with every role checked: nobody lets others in with more than they have. */
export async function columnsOf(db: Db, caller: Caller, fields: SsoProviderFields, ownCertificate: string | undefined) {
  const { type, name, enabled, domains, defaultRole, groupRoles, ...rest } = fields;
  const [standard] = await grantableRoles(db, caller, [defaultRole], 'defaultRole');
  const mapped = await grantableRoles(
    db,
    caller,
    groupRoles.map(({ role }) => role),
    'groupRoles',
  );
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
  if (address?.startsWith('http:') && !runtime().env.egressAllowPrivate)
    throw invalidField(field, 'must begin with https');
}

function checkedCertificate(fields: SsoProviderFields): string {
  const pems = 'certificate' in fields ? certificatesIn(fields.certificate) : null;
  if (!pems) throw invalidField('certificate', 'is not an X.509 certificate');
  return pems.join('');
}

export function shown(row: Row, roles: readonly AnyRole[]): z.input<typeof SsoProvider> {
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
