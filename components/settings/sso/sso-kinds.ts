import type { SsoPreset, SsoProvider, SsoType } from '@/contract/access/sso';
import type { Schema } from '@/components/forms/model/schema';

/** A kind of provider, as shown to administrators. */
export interface SsoKind {
  id: string;
  label: string;
  type: SsoType;
  preset?: SsoPreset;
  /** Names of its specific fields. */
  fields: string[];
  required: string[];
}

const CLIENT = ['clientId', 'clientSecret'];
const oidc = (id: string, label: string, preset?: SsoPreset, needsIssuer = true): SsoKind => ({
  id,
  label,
  type: 'oidc',
  preset,
  fields: needsIssuer ? ['issuer', ...CLIENT, 'scopes'] : [...CLIENT, 'scopes'],
  required: needsIssuer ? ['issuer', ...CLIENT] : CLIENT,
});
const ADDRESSES = ['authorizationUrl', 'tokenUrl', 'userInfoUrl'];

export const SSO_KINDS: SsoKind[] = [
  oidc('google', 'Google Workspace', 'google', false),
  oidc('microsoft', 'Microsoft Entra ID', 'microsoft'),
  oidc('okta', 'Okta', 'okta'),
  oidc('gitlab', 'GitLab', 'gitlab', false),
  { id: 'github', label: 'GitHub', type: 'oauth2', preset: 'github', fields: [...CLIENT, 'scopes'], required: CLIENT },
  oidc('oidc', 'OpenID Connect'),
  {
    id: 'oauth2',
    label: 'OAuth 2.0',
    type: 'oauth2',
    fields: [...ADDRESSES, ...CLIENT, 'scopes'],
    required: [...ADDRESSES, ...CLIENT],
  },
  {
    id: 'saml',
    label: 'SAML 2.0',
    type: 'saml',
    fields: ['entityId', 'ssoUrl', 'sloUrl', 'certificate'],
    required: ['entityId', 'ssoUrl', 'certificate'],
  },
];

export const ssoKindOf = ({ type, preset }: Pick<SsoProvider, 'type' | 'preset'>): SsoKind | undefined =>
  SSO_KINDS.find((kind) => kind.type === type && kind.preset === preset) ??
  SSO_KINDS.find((kind) => kind.type === type && !kind.preset);

const FIELDS: Record<string, Schema> = {
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
export function ssoSchema({ fields, required }: SsoKind, roles: string[]): Schema {
  const role: Schema = { type: 'string', title: 'Default role', enum: roles, default: 'viewer' };
  const names = ['name', ...fields, 'domains', 'isMfaTrusted', 'groupsClaim', 'groupRoles', 'enabled'];
  const shown = names.flatMap((name): [string, Schema][] => (FIELDS[name] ? [[name, FIELDS[name]]] : []));
  return {
    type: 'object',
    required: ['name', ...required],
    properties: { ...Object.fromEntries(shown), defaultRole: role },
  };
}

/** The stored values of the form fields. */
export function storedFields(kind: SsoKind, provider: SsoProvider | undefined): Record<string, unknown> {
  const names = Object.keys(ssoSchema(kind, []).properties ?? {});
  return Object.fromEntries(Object.entries(provider ?? {}).filter(([name]) => names.includes(name)));
}

const NULLABLE = ['issuer', 'authorizationUrl', 'tokenUrl', 'userInfoUrl', 'sloUrl'];

/** The body of a full update: emptied fields are removed or reset to their default. */
export function emptied(stored: Record<string, unknown>, given: Record<string, unknown>): Record<string, unknown> {
  const gone = Object.keys(stored).filter((name) => given[name] === undefined);
  const empty = gone.flatMap((name): [string, unknown][] => {
    if (NULLABLE.includes(name)) return [[name, null]];
    if (Array.isArray(stored[name])) return [[name, []]];
    return name === 'groupsClaim' ? [[name, 'groups']] : [];
  });
  return { ...given, ...Object.fromEntries(empty) };
}
