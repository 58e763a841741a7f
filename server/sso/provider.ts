import type { Permission } from '@/contract/access/security';
import { SsoPreset, type SsoOutcome, type SsoType } from '@/contract/access/sso';
import type { Prisma, SsoProvider as Row } from '@/generated/prisma/client';
import { prisma, type Db } from '@/server/db/client';
import { open, seal } from '@/server/db/seal';
import { runtime } from '@/server/runtime';
import { systemRoleId } from '@/server/db/system-role-id';

/** The administrator's settings for a type, without secrets. */
export interface SsoConfig {
  preset?: SsoPreset;
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
  authority: Permission[];
}

export interface SsoSecrets {
  clientSecret?: string;
  privateKey?: string;
}

/** A workspace's provider, or one of the whole service. */
export interface Provider {
  id: string;
  /** Null: for the whole service. */
  workspaceId: string | null;
  type: SsoType;
  name: string;
  enabled: boolean;
  domains: string[];
  /** Id of the role that new people get. */
  defaultRole: string;
  config: SsoConfig;
  secrets: SsoSecrets;
}

const boundTo = (id: string) => `sso-provider:${id}`;

export const sealSecrets = (id: string, secrets: SsoSecrets): string =>
  seal(JSON.stringify(secrets), boundTo(id), runtime().env.encryptionKeys);

/** Defaults of settings that older rows lack. */
const DEFAULTS: Partial<SsoConfig> = { isMfaTrusted: false };

export const providerOf = (row: Row): Provider => ({
  ...row,
  type: row.type as SsoType,
  config: { ...DEFAULTS, ...(row.config as object) } as SsoConfig,
  secrets: JSON.parse(open(row.secrets, boundTo(row.id), runtime().env.encryptionKeys)) as SsoSecrets,
});

const SERVICE_NAMES: Record<SsoPreset, string> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  google: 'Google',
  microsoft: 'Microsoft',
  okta: 'Okta',
};

const isPreset = (id: string): id is SsoPreset => SsoPreset.options.includes(id as SsoPreset);

/** The providers that the operator configured for the whole service. */
export function serviceProviders(): Provider[] {
  const { providers, saml } = runtime().env.sso;
  const common = { workspaceId: null, enabled: true, domains: [], defaultRole: systemRoleId('viewer') };
  const rules = { isMfaTrusted: false, groupsClaim: 'groups', groupRoles: [], authority: [] };
  const found: Provider[] = Object.entries(providers).map(([id, { clientSecret, ...config }]) => ({
    ...common,
    id,
    type: 'oauth2',
    name: isPreset(id) ? SERVICE_NAMES[id] : id,
    config: { ...rules, ...config, preset: isPreset(id) ? id : undefined },
    secrets: { clientSecret },
  }));
  if (saml)
    found.push({ ...common, id: 'saml', type: 'saml', name: 'SAML', config: { ...rules, ...saml }, secrets: {} });
  return found;
}

/** An enabled provider by its id; null if there is none, or it is disabled. */
export async function findProvider(id: string, db: Db = prisma()): Promise<Provider | null> {
  const service = serviceProviders().find((provider) => provider.id === id);
  if (service) return service;
  const row = await db.ssoProvider.findFirst({ where: { id, enabled: true } });
  return row && providerOf(row);
}

/** Stores the result of a sign-in, for the administrator who configures the provider. */
export async function keepOutcome(provider: Provider, outcome: Omit<SsoOutcome, 'at'>): Promise<void> {
  if (provider.workspaceId === null) return;
  const claims = presentable(outcome.claims);
  const lastSignIn = { ...outcome, at: new Date().toISOString(), claims } as unknown as Prisma.InputJsonObject;
  await prisma().ssoProvider.updateMany({ where: { id: provider.id }, data: { lastSignIn } });
}

const MAX_CLAIMS = 20_000;

/** Claims for storage and display: no text that PostgreSQL cannot store, and of limited size. */
function presentable(claims: Record<string, unknown>): unknown {
  const clean = (_: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed().slice(0, 2000) : value;
  const text = JSON.stringify(claims, clean);
  return text.length > MAX_CLAIMS ? { note: 'The provider’s claims are too large to show.' } : JSON.parse(text);
}

/** The addresses of this service, as registered at providers. */
export const ssoAddresses = (providerId: string) => {
  const base = runtime().env.apiBaseUrl;
  const of = `?provider=${encodeURIComponent(providerId)}`;
  return {
    redirectUri: `${base}/auth/oauth2_callback`,
    acsUrl: `${base}/auth/saml`,
    entityId: `${base}/auth/saml/metadata${of}`,
    metadataUrl: `${base}/auth/saml/metadata${of}`,
    sloUrl: `${base}/auth/saml/logout${of}`,
  };
};
