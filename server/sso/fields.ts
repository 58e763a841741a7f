import type { z } from 'zod';
import type { Destinations } from '@/contract/credentials/credential-marks';
import {
  SsoProviderFields,
  type SsoOutcome,
  type SsoPreset,
  type SsoProvider,
  type SsoProviderUpdate,
} from '@/contract/access/sso';
import type { DomainProof, SsoProvider as Row } from '@/generated/prisma/client';
import { invalid, invalidField } from '@/server/errors/problem';
import { explain, fieldErrors } from '@/server/errors/zod-issues';
import type { Db } from '@/server/db/client';
import { runtime } from '@/server/runtime';
import { requireSecrets } from '@/server/connectors/destinations';
import type { Caller } from '@/server/access/caller';
import { certificatesIn } from './certificate';
import { statusOf } from './domain-proof';
import { grantableRoles, type AnyRole } from '@/server/access/roles';
import { providerOf, ssoAddresses, type Provider, type SsoConfig, type SsoSecrets } from './provider';

/** The addresses that receive the client secret, directly or through the provider's metadata. */
const SECRET_DESTINATIONS: Destinations = {
  issuer: 'address',
  authorizationUrl: 'address',
  tokenUrl: 'address',
  userInfoUrl: 'address',
  preset: 'address',
};

/** Throws a 400 for a change that would send a stored client secret to another address. */
export function requireSecret(
  before: SsoConfig,
  after: SsoConfig,
  { clientSecret }: SsoSecrets,
  changes: object,
): void {
  requireSecrets({
    destinations: SECRET_DESTINATIONS,
    before: { ...before },
    after: { ...after },
    secrets: clientSecret === undefined ? [] : ['clientSecret'],
    fields: Object.keys(defined(changes)),
  });
}

/** The fields that identify the provider. */
export const authorityOf = (config: object): string => {
  const { issuer, entityId, authorizationUrl, tokenUrl, userInfoUrl, preset } = config as SsoConfig;
  return JSON.stringify([issuer, entityId, authorizationUrl, tokenUrl, userInfoUrl, preset]);
};

/** The stored values with the changes; validated like new ones. */
export function merged(
  row: ProviderRow,
  roles: readonly AnyRole[],
  secrets: SsoSecrets,
  body: SsoProviderUpdate,
): SsoProviderFields {
  const {
    id: _i,
    domainVerification: _d,
    hasClientSecret: _h,
    setup: _s,
    lastSignIn: _l,
    createdAt: _c,
    updatedAt: _u,
    ...fields
  } = presentProvider(row, roles);
  const { clientSecret } = secrets;
  const all = Object.entries({ ...fields, clientSecret, ...defined(body) }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  if (body.type !== undefined && body.type !== row.type) throw invalidField('type', 'can’t be changed');
  return fieldsOf(Object.fromEntries(all));
}

/** The settings of a provider, parsed for its type. */
export function fieldsOf(values: object): SsoProviderFields {
  const parsed = SsoProviderFields.safeParse(defined(values), { error: explain });
  if (parsed.error) throw invalid(fieldErrors(parsed.error));
  return parsed.data;
}

const defined = (body: object) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

/** The row's columns, with every role checked: administrators cannot grant permissions that they do not have. */
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
  // Without undefined fields, for storage.
  const plain = JSON.parse(JSON.stringify(config)) as SsoConfig;
  return { name, enabled, domains: [...new Set(domains)], defaultRole: standard?.id ?? '', config: plain };
}

const ADDRESSES = ['issuer', 'authorizationUrl', 'tokenUrl', 'userInfoUrl', 'ssoUrl', 'sloUrl'] as const;

/** The addresses that receive codes, secrets and people's browsers. */
function requireSafe(field: string, address: string | undefined): void {
  if (address?.startsWith('http:') && !runtime().env.egressAllowPrivate)
    throw invalidField(field, 'must begin with https');
}

function checkedCertificate(fields: SsoProviderFields): string {
  const pems = 'certificate' in fields ? certificatesIn(fields.certificate) : null;
  if (!pems) throw invalidField('certificate', 'is not an X.509 certificate');
  return pems.join('');
}

/** A provider's row, with the proofs of its domains. */
export type ProviderRow = Row & { domainProofs: DomainProof[] };

export function presentProvider(row: ProviderRow, roles: readonly AnyRole[]): z.input<typeof SsoProvider> {
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
    domainVerification: statusOf(row, row.domainProofs),
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
