import type { z } from 'zod';
import type { DestinationFields } from '@/contract/credentials/credential-fields';
import {
  SsoProviderFields,
  type SsoSignInResult,
  type SsoProviderPreset,
  type SsoProviderResponse,
  type UpdateSsoProviderRequest,
} from '@/contract/access/sso';
import type { DomainProof, SsoProvider as Row } from '@/generated/prisma/client';
import { invalidRequestProblem, invalidFieldProblem } from '@/server/platform/errors/problem';
import { explainMissingValue, toFieldErrors } from '@/server/platform/errors/zod-issues';
import type { DatabaseClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { requireSecretsAgain } from '@/server/network/outbound/destinations';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { parseCertificates } from './certificate';
import { toDomainStatuses } from './domain-proof';
import { requireGrantableRoles, type WorkspaceRole } from '@/server/people/access/roles';
import { toIdentityProvider, serviceSsoUrls, type IdentityProvider, type SsoConfig, type SsoSecrets } from './provider';

/** The addresses that receive the client secret, directly or through the provider's metadata. */
const SECRET_DESTINATIONS: DestinationFields = {
  issuer: 'address',
  authorizationUrl: 'address',
  tokenUrl: 'address',
  userInfoUrl: 'address',
  preset: 'address',
};

/** Throws a 400 for a change that would send a stored client secret to another address. */
export function requireClientSecret(
  before: SsoConfig,
  after: SsoConfig,
  { clientSecret }: SsoSecrets,
  changes: object,
): void {
  requireSecretsAgain({
    destinations: SECRET_DESTINATIONS,
    before: { ...before },
    after: { ...after },
    secrets: clientSecret === undefined ? [] : ['clientSecret'],
    fields: Object.keys(withoutUndefinedFields(changes)),
  });
}

/** The fields that identify the provider. */
export const providerIdentityKey = (config: object): string => {
  const { issuer, entityId, authorizationUrl, tokenUrl, userInfoUrl, preset } = config as SsoConfig;
  return JSON.stringify([issuer, entityId, authorizationUrl, tokenUrl, userInfoUrl, preset]);
};

/** The stored values with the changes; validated like new ones. */
export function mergeProviderFields(
  row: SsoProviderRow,
  roles: readonly WorkspaceRole[],
  secrets: SsoSecrets,
  body: UpdateSsoProviderRequest,
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
  } = toProviderResponse(row, roles);
  const { clientSecret } = secrets;
  const all = Object.entries({ ...fields, clientSecret, ...withoutUndefinedFields(body) }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  if (body.type !== undefined && body.type !== row.type) throw invalidFieldProblem('type', 'can’t be changed');
  return parseProviderFields(Object.fromEntries(all));
}

/** The settings of a provider, parsed for its type. */
export function parseProviderFields(values: object): SsoProviderFields {
  const parsed = SsoProviderFields.safeParse(withoutUndefinedFields(values), { error: explainMissingValue });
  if (parsed.error) throw invalidRequestProblem(toFieldErrors(parsed.error));
  return parsed.data;
}

const withoutUndefinedFields = (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

/** The row's columns, with every role checked: administrators cannot grant permissions that they do not have. */
export async function toProviderColumns(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  fields: SsoProviderFields,
  ownCertificate: string | undefined,
) {
  const { type, name, enabled, domains, defaultRole, groupRoles, ...rest } = fields;
  const [standard] = await requireGrantableRoles(db, caller, [defaultRole], 'defaultRole');
  const mapped = await requireGrantableRoles(
    db,
    caller,
    groupRoles.map(({ role }) => role),
    'groupRoles',
  );
  const config: SsoConfig = {
    ...('clientSecret' in rest ? { ...rest, clientSecret: undefined } : rest),
    ...(type === 'saml' ? { certificate: requireCertificate(fields), ownCertificate } : {}),
    groupRoles: groupRoles.map(({ group }, index) => ({ group, role: mapped[index]?.id ?? '' })),
    authority: caller.permissions,
  };
  for (const field of SECURE_URL_FIELDS) requireHttps(field, config[field]);
  // Removes undefined fields before storage.
  const plain = JSON.parse(JSON.stringify(config)) as SsoConfig;
  return { name, enabled, domains: [...new Set(domains)], defaultRole: standard?.id ?? '', config: plain };
}

const SECURE_URL_FIELDS = ['issuer', 'authorizationUrl', 'tokenUrl', 'userInfoUrl', 'ssoUrl', 'sloUrl'] as const;

/** The addresses that receive codes, secrets and people's browsers. */
function requireHttps(field: string, address: string | undefined): void {
  if (address?.startsWith('http:') && !getRuntime().env.egressAllowPrivate)
    throw invalidFieldProblem(field, 'must begin with https');
}

function requireCertificate(fields: SsoProviderFields): string {
  const pems = 'certificate' in fields ? parseCertificates(fields.certificate) : null;
  if (!pems) throw invalidFieldProblem('certificate', 'is not an X.509 certificate');
  return pems.join('');
}

/** A provider's row, with the proofs of its domains. */
export type SsoProviderRow = Row & { domainProofs: DomainProof[] };

export function toProviderResponse(
  row: SsoProviderRow,
  roles: readonly WorkspaceRole[],
): z.input<typeof SsoProviderResponse> {
  const { id, name, enabled, domains, type, config, secrets }: IdentityProvider = toIdentityProvider(row);
  const { authority: _, ownCertificate, groupRoles, ...rest } = config;
  const nameOf = (roleId: string) => roles.find((role) => role.id === roleId)?.name ?? roleId;
  return {
    ...rest,
    id,
    type,
    name,
    enabled,
    domains,
    domainVerification: toDomainStatuses(row, row.domainProofs),
    preset: rest.preset as SsoProviderPreset | undefined,
    defaultRole: nameOf(row.defaultRole),
    groupRoles: groupRoles.map(({ group, role }) => ({ group, role: nameOf(role) })),
    hasClientSecret: secrets.clientSecret !== undefined,
    setup: providerSetup(id, type, ownCertificate),
    lastSignIn: row.lastSignIn as unknown as SsoSignInResult | null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function providerSetup(id: string, type: IdentityProvider['type'], certificate: string | undefined) {
  const { redirectUri, ...saml } = serviceSsoUrls(id);
  return type === 'saml' ? { ...saml, certificate } : { redirectUri };
}
