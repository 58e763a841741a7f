import { SsoProviderPreset } from '@/contract/access/sso';

/** A sign-in provider of the whole service, from `OAUTH2_<PROVIDER>_…`. */
export interface ServiceProviderSettings {
  clientId?: string;
  clientSecret?: string;
  issuer?: string;
  authorizationUrl?: string;
  tokenUrl?: string;
  userInfoUrl?: string;
}

/** The service's own SAML identity provider, from `SAML_IDP_…`. */
export interface ServiceSamlSettings {
  entityId: string;
  ssoUrl: string;
  certificate: string;
  sloUrl?: string;
}

export interface SsoSettings {
  /** Name in lower case: of a preset, or chosen by the operator. */
  providers: Record<string, ServiceProviderSettings>;
  saml: ServiceSamlSettings | null;
}

const PROVIDER_FIELDS = {
  CLIENT_ID: 'clientId',
  CLIENT_SECRET: 'clientSecret',
  ISSUER: 'issuer',
  AUTHORIZE_URL: 'authorizationUrl',
  TOKEN_URL: 'tokenUrl',
  USERINFO_URL: 'userInfoUrl',
} as const satisfies Record<string, keyof ServiceProviderSettings>;

type ProviderVariableSuffix = keyof typeof PROVIDER_FIELDS;
const PROVIDER_VARIABLE_PATTERN = new RegExp(`^OAUTH2_(.+)_(${Object.keys(PROVIDER_FIELDS).join('|')})$`);

const isProviderUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** The variables of service-wide sign-in; an empty one counts as unset. */
export function readSsoSettings(source: Record<string, string | undefined>): {
  settings: SsoSettings;
  complaints: string[];
} {
  const complaints: string[] = [];
  const providers: Record<string, ServiceProviderSettings> = {};
  for (const [name, value] of Object.entries(source)) {
    const [, provider = '', word] = PROVIDER_VARIABLE_PATTERN.exec(name) ?? [];
    if (!word || !value) continue;
    if (!/(ID|SECRET)$/.test(word) && !isProviderUrl(value))
      complaints.push(`${name} must be an http or https address`);
    const id = provider.toLowerCase();
    providers[id] = { ...providers[id], [PROVIDER_FIELDS[word as ProviderVariableSuffix]]: value };
  }
  for (const [id, provider] of Object.entries(providers)) complaints.push(...missingProviderVariables(id, provider));
  const saml = readSamlSettings(source, complaints);
  return { settings: { providers, saml }, complaints };
}

/** Presets with the same addresses for every customer. */
const PRESETS_WITH_ADDRESSES = ['github', 'gitlab', 'google'];

function missingProviderVariables(id: string, provider: ServiceProviderSettings): string[] {
  const prefix = `OAUTH2_${id.toUpperCase()}`;
  const needed = (['CLIENT_ID', 'CLIENT_SECRET'] as const).filter((word) => !provider[PROVIDER_FIELDS[word]]);
  const complaints = needed.map(
    (word) => `${prefix}_${word} must be set together with the other variables of ${prefix}`,
  );
  const isWhole = provider.authorizationUrl && provider.tokenUrl && provider.userInfoUrl;
  if (PRESETS_WITH_ADDRESSES.includes(id) || provider.issuer || isWhole) return complaints;
  const hint = SsoProviderPreset.options.includes(id as SsoProviderPreset)
    ? ''
    : `, or ${prefix}_AUTHORIZE_URL, _TOKEN_URL and _USERINFO_URL`;
  return [...complaints, `${prefix}_ISSUER must be set${hint}`];
}

function readSamlSettings(
  source: Record<string, string | undefined>,
  complaints: string[],
): ServiceSamlSettings | null {
  const { SAML_IDP_ENTITY_ID, SAML_IDP_SSO_URL, SAML_IDP_CERTIFICATE, SAML_IDP_SLO_URL } = source;
  const settings = { SAML_IDP_ENTITY_ID, SAML_IDP_SSO_URL, SAML_IDP_CERTIFICATE };
  const missing = Object.entries(settings).filter(([, value]) => !value);
  if (missing.length === Object.keys(settings).length) return null;
  for (const [name] of missing) complaints.push(`${name} must be set together with the other SAML_IDP_ variables`);
  for (const [name, value] of Object.entries({ SAML_IDP_SSO_URL, SAML_IDP_SLO_URL })) {
    if (value && !isProviderUrl(value)) complaints.push(`${name} must be an http or https address`);
  }
  if (!SAML_IDP_ENTITY_ID || !SAML_IDP_SSO_URL || !SAML_IDP_CERTIFICATE) return null;
  return {
    entityId: SAML_IDP_ENTITY_ID,
    ssoUrl: SAML_IDP_SSO_URL,
    certificate: SAML_IDP_CERTIFICATE,
    sloUrl: SAML_IDP_SLO_URL || undefined,
  };
}
