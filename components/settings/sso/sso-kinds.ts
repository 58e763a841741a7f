import type { SsoProviderPreset, SsoProviderResponse, SsoProviderType } from '@/contract/access/sso';
import type { FieldSchema } from '@/components/forms/model/field-schema';

/** A kind of provider, as shown to administrators. */
export interface SsoProviderOption {
  id: string;
  label: string;
  type: SsoProviderType;
  preset?: SsoProviderPreset;
  /** Names of its specific fields. */
  fields: string[];
  required: string[];
}

const CLIENT_FIELDS = ['clientId', 'clientSecret'];
const oidcProviderOption = (
  id: string,
  label: string,
  preset?: SsoProviderPreset,
  needsIssuer = true,
): SsoProviderOption => ({
  id,
  label,
  type: 'oidc',
  preset,
  fields: needsIssuer ? ['issuer', ...CLIENT_FIELDS, 'scopes'] : [...CLIENT_FIELDS, 'scopes'],
  required: needsIssuer ? ['issuer', ...CLIENT_FIELDS] : CLIENT_FIELDS,
});
const ENDPOINT_URL_FIELDS = ['authorizationUrl', 'tokenUrl', 'userInfoUrl'];

export const SSO_PROVIDER_OPTIONS: SsoProviderOption[] = [
  oidcProviderOption('google', 'Google Workspace', 'google', false),
  oidcProviderOption('microsoft', 'Microsoft Entra ID', 'microsoft'),
  oidcProviderOption('okta', 'Okta', 'okta'),
  oidcProviderOption('gitlab', 'GitLab', 'gitlab', false),
  {
    id: 'github',
    label: 'GitHub',
    type: 'oauth2',
    preset: 'github',
    fields: [...CLIENT_FIELDS, 'scopes'],
    required: CLIENT_FIELDS,
  },
  oidcProviderOption('oidc', 'OpenID Connect'),
  {
    id: 'oauth2',
    label: 'OAuth 2.0',
    type: 'oauth2',
    fields: [...ENDPOINT_URL_FIELDS, ...CLIENT_FIELDS, 'scopes'],
    required: [...ENDPOINT_URL_FIELDS, ...CLIENT_FIELDS],
  },
  {
    id: 'saml',
    label: 'SAML 2.0',
    type: 'saml',
    fields: ['entityId', 'ssoUrl', 'sloUrl', 'certificate'],
    required: ['entityId', 'ssoUrl', 'certificate'],
  },
];

export const findSsoOption = ({
  type,
  preset,
}: Pick<SsoProviderResponse, 'type' | 'preset'>): SsoProviderOption | undefined =>
  SSO_PROVIDER_OPTIONS.find((kind) => kind.type === type && kind.preset === preset) ??
  SSO_PROVIDER_OPTIONS.find((kind) => kind.type === type && !kind.preset);

const SSO_FIELD_SCHEMAS: Record<string, FieldSchema> = {
  name: { type: 'string', title: 'Name', description: 'Shown on the button of the sign-in page.' },
  enabled: {
    type: 'boolean',
    title: 'Enabled',
    description: 'Disabling ends the sessions of this provider and stops API keys created in them.',
    default: true,
  },
  domains: {
    type: 'array',
    title: 'Email domains',
    description: 'Only users with an email in a verified domain can sign in. Empty: all users of the provider.',
    items: { type: 'string' },
  },
  issuer: { type: 'string', title: 'Issuer', examples: ['https://id.example.com'] },
  clientId: { type: 'string', title: 'Client id' },
  clientSecret: { type: 'string', title: 'Client secret' },
  scopes: { type: 'array', title: 'Scopes', description: 'Empty: the default scopes.', items: { type: 'string' } },
  authorizationUrl: { type: 'string', title: 'Authorization URL' },
  tokenUrl: { type: 'string', title: 'Token URL' },
  userInfoUrl: { type: 'string', title: 'User info URL' },
  entityId: { type: 'string', title: 'Entity ID of the provider' },
  ssoUrl: { type: 'string', title: 'Sign-on URL' },
  sloUrl: { type: 'string', title: 'Sign-out URL' },
  certificate: {
    type: 'string',
    title: 'Certificate',
    description: 'X.509 certificate of the provider, as PEM or base64.',
    'x-editor': 'multiline',
  },
  isMfaTrusted: {
    type: 'boolean',
    title: 'Provider requires a second factor',
    description: 'Sign-ins through it then satisfy a workspace that requires a second factor.',
    default: false,
  },
  groupsClaim: { type: 'string', title: 'Groups claim', default: 'groups' },
  groupRoles: {
    type: 'array',
    title: 'Roles by group',
    description: 'Updated at each sign-in.',
    items: {
      type: 'object',
      properties: { group: { type: 'string', title: 'Group' }, role: { type: 'string', title: 'Role' } },
    },
  },
};

/** The form schema of a kind. `roles`: names of the possible default roles. */
export function ssoFormSchema({ fields, required }: SsoProviderOption, roles: string[]): FieldSchema {
  const role: FieldSchema = { type: 'string', title: 'Default role', enum: roles, default: 'viewer' };
  const names = ['name', ...fields, 'domains', 'isMfaTrusted', 'groupsClaim', 'groupRoles', 'enabled'];
  const shown = names.flatMap((name): [string, FieldSchema][] =>
    SSO_FIELD_SCHEMAS[name] ? [[name, SSO_FIELD_SCHEMAS[name]]] : [],
  );
  return {
    type: 'object',
    required: ['name', ...required],
    properties: { ...Object.fromEntries(shown), defaultRole: role },
  };
}

/** The stored values of the form fields. */
export function storedSsoFields(
  kind: SsoProviderOption,
  provider: SsoProviderResponse | undefined,
): Record<string, unknown> {
  const names = Object.keys(ssoFormSchema(kind, []).properties ?? {});
  return Object.fromEntries(Object.entries(provider ?? {}).filter(([name]) => names.includes(name)));
}

const NULLABLE_SSO_FIELDS = ['issuer', 'authorizationUrl', 'tokenUrl', 'userInfoUrl', 'sloUrl'];

/** The body of a full update: emptied fields are removed or reset to their default. */
export function withClearedFields(
  stored: Record<string, unknown>,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const gone = Object.keys(stored).filter((name) => given[name] === undefined);
  const empty = gone.flatMap((name): [string, unknown][] => {
    if (NULLABLE_SSO_FIELDS.includes(name)) return [[name, null]];
    if (Array.isArray(stored[name])) return [[name, []]];
    return name === 'groupsClaim' ? [[name, 'groups']] : [];
  });
  return { ...given, ...Object.fromEntries(empty) };
}
