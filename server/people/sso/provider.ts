import type { ScopedPermission } from '@/contract/access/security';
import { SsoProviderPreset, type SsoSignInResult, type SsoProviderType } from '@/contract/access/sso';
import type { Prisma, SsoProvider as Row } from '@/generated/prisma/client';
import { prismaClient, type DatabaseClient } from '@/server/platform/db/client';
import { openSealedText, sealText } from '@/server/platform/db/seal';
import { getRuntime } from '@/server/platform/runtime';
import { systemRoleId } from '@/server/platform/db/system-role-id';

/** The administrator's settings for a type, without secrets. */
export interface SsoConfig {
  preset?: SsoProviderPreset;
  clientId?: string;
  scopes?: string[];
  issuer?: string;
  authorizationUrl?: string;
  tokenUrl?: string;
  userInfoUrl?: string;
  entityId?: string;
  ssoUrl?: string;
  sloUrl?: string;
  certificate?: string;
  /** The service's own certificate, for signed requests and encrypted assertions. */
  ownCertificate?: string;
  /** Its sign-ins count as made with a second factor, in its own workspace. */
  isMfaTrusted: boolean;
  groupsClaim: string;
  /** `role` is an id. */
  groupRoles: { group: string; role: string }[];
  /** The permissions of its last editor at that time: no user with more permissions can sign in through it. */
  authority: ScopedPermission[];
}

export interface SsoSecrets {
  clientSecret?: string;
  privateKey?: string;
}

/** A workspace's provider, or one of the whole service. */
export interface IdentityProvider {
  id: string;
  /** Null: for the whole service. */
  workspaceId: string | null;
  type: SsoProviderType;
  name: string;
  enabled: boolean;
  domains: string[];
  /** Id of the role that new people get. */
  defaultRole: string;
  config: SsoConfig;
  secrets: SsoSecrets;
}

const ssoSecretsBinding = (id: string) => `sso-provider:${id}`;

export const sealSsoSecrets = (id: string, secrets: SsoSecrets): string =>
  sealText(JSON.stringify(secrets), ssoSecretsBinding(id), getRuntime().env.encryptionKeys);

/** Defaults of settings that older rows lack. */
const CONFIG_DEFAULTS: Partial<SsoConfig> = { isMfaTrusted: false };

export const toIdentityProvider = (row: Row): IdentityProvider => ({
  ...row,
  type: row.type as SsoProviderType,
  config: { ...CONFIG_DEFAULTS, ...(row.config as object) } as SsoConfig,
  secrets: JSON.parse(
    openSealedText(row.secrets, ssoSecretsBinding(row.id), getRuntime().env.encryptionKeys),
  ) as SsoSecrets,
});

const PRESET_NAMES: Record<SsoProviderPreset, string> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  google: 'Google',
  microsoft: 'Microsoft',
  okta: 'Okta',
};

const isSsoPreset = (id: string): id is SsoProviderPreset =>
  SsoProviderPreset.options.includes(id as SsoProviderPreset);

/** The providers that the operator configured for the whole service. */
export function listServiceProviders(): IdentityProvider[] {
  const { providers, saml } = getRuntime().env.sso;
  const common = { workspaceId: null, enabled: true, domains: [], defaultRole: systemRoleId('viewer') };
  const rules = { isMfaTrusted: false, groupsClaim: 'groups', groupRoles: [], authority: [] };
  const found: IdentityProvider[] = Object.entries(providers).map(([id, { clientSecret, ...config }]) => ({
    ...common,
    id,
    type: 'oauth2',
    name: isSsoPreset(id) ? PRESET_NAMES[id] : id,
    config: { ...rules, ...config, preset: isSsoPreset(id) ? id : undefined },
    secrets: { clientSecret },
  }));
  if (saml)
    found.push({ ...common, id: 'saml', type: 'saml', name: 'SAML', config: { ...rules, ...saml }, secrets: {} });
  return found;
}

/** An enabled provider by its id; null if there is none, or it is disabled. */
export async function findEnabledProvider(
  id: string,
  db: DatabaseClient = prismaClient(),
): Promise<IdentityProvider | null> {
  const service = listServiceProviders().find((provider) => provider.id === id);
  if (service) return service;
  const row = await db.ssoProvider.findFirst({ where: { id, enabled: true } });
  return row && toIdentityProvider(row);
}

/** Stores the result of a sign-in, for the administrator who configures the provider. */
export async function storeSignInResult(
  provider: IdentityProvider,
  outcome: Omit<SsoSignInResult, 'at'>,
): Promise<void> {
  if (provider.workspaceId === null) return;
  const claims = storableClaims(outcome.claims);
  const lastSignIn = { ...outcome, at: new Date().toISOString(), claims } as unknown as Prisma.InputJsonObject;
  await prismaClient().ssoProvider.updateMany({ where: { id: provider.id }, data: { lastSignIn } });
}

const MAX_CLAIMS_LENGTH = 20_000;

/** Claims for storage and display: no text that PostgreSQL cannot store, and of limited size. */
function storableClaims(claims: Record<string, unknown>): unknown {
  const clean = (_: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed().slice(0, 2000) : value;
  const text = JSON.stringify(claims, clean);
  return text.length > MAX_CLAIMS_LENGTH ? { note: 'The provider’s claims are too large to show.' } : JSON.parse(text);
}

/** The addresses of this service, as registered at providers. */
export const serviceSsoUrls = (providerId: string) => {
  const base = getRuntime().env.apiBaseUrl;
  const of = `?provider=${encodeURIComponent(providerId)}`;
  return {
    redirectUri: `${base}/auth/oauth2_callback`,
    acsUrl: `${base}/auth/saml`,
    entityId: `${base}/auth/saml/metadata${of}`,
    metadataUrl: `${base}/auth/saml/metadata${of}`,
    sloUrl: `${base}/auth/saml/logout${of}`,
  };
};
