import { z } from 'zod';
import { Timestamp, page, text } from './text';

export const SsoType = z.enum(['oauth2', 'oidc', 'saml']).meta({ id: 'SsoType' });
export type SsoType = z.infer<typeof SsoType>;

export const SsoPreset = z.enum(['github', 'gitlab', 'google', 'microsoft', 'okta']).meta({ id: 'SsoPreset' });
export type SsoPreset = z.infer<typeof SsoPreset>;

const Address = z.url({ protocol: /^https?$/ }).max(2000);
/** Of email addresses, in lower case. */
export const Domain = text(1, 253)
  .transform((domain) => domain.toLowerCase())
  .pipe(
    z
      .string()
      .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/, { error: 'must be a domain such as example.com' }),
  );

const common = {
  name: text(1, 200),
  enabled: z.boolean().default(true),
  domains: z
    .array(Domain)
    .max(100)
    .default([])
    .meta({ description: 'Only people with an email in one of these may sign in. Empty: any' }),
  defaultRole: text(1, 100).default('viewer').meta({ description: 'Name of the role that new people get' }),
  isMfaTrusted: z
    .boolean()
    .default(false)
    .meta({ description: 'The provider asks for a second factor itself: `mfaPolicy: required` is satisfied by it' }),
  groupsClaim: text(1, 300).default('groups').meta({ description: 'Claim or attribute with the person’s groups' }),
  groupRoles: z
    .array(z.strictObject({ group: text(1, 500), role: text(1, 100) }))
    .max(100)
    .default([])
    .meta({ description: 'Roles by group, given and taken at each sign-in' }),
};

const client = {
  clientId: text(1, 1000),
  clientSecret: text(1, 5000).meta({ description: 'Kept encrypted; leave it out of an update to keep it' }),
  preset: SsoPreset.optional(),
  scopes: z
    .array(text(1, 200).regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { error: 'must be a scope' }))
    .max(50)
    .optional(),
};

export const OidcProvider = z
  .strictObject({ type: z.literal('oidc'), ...common, ...client, issuer: Address.optional() })
  .refine(({ issuer, preset }) => issuer || preset === 'google' || preset === 'gitlab', {
    path: ['issuer'],
    error: 'is required',
  });

export const OAuth2Provider = z
  .strictObject({
    type: z.literal('oauth2'),
    ...common,
    ...client,
    issuer: Address.optional(),
    authorizationUrl: Address.optional(),
    tokenUrl: Address.optional(),
    userInfoUrl: Address.optional(),
  })
  .superRefine((provider, context) => {
    if (provider.preset === 'okta' || provider.preset === 'microsoft') {
      if (!provider.issuer && !provider.authorizationUrl)
        context.addIssue({ code: 'custom', path: ['issuer'], message: 'is required' });
    }
    const isPartial = !provider.preset || provider.authorizationUrl || provider.tokenUrl || provider.userInfoUrl;
    for (const name of isPartial ? (['authorizationUrl', 'tokenUrl', 'userInfoUrl'] as const) : []) {
      if (!provider[name]) context.addIssue({ code: 'custom', path: [name], message: 'is required' });
    }
  });

export const SamlProvider = z.strictObject({
  type: z.literal('saml'),
  ...common,
  entityId: text(1, 1000),
  ssoUrl: Address,
  sloUrl: Address.optional(),
  certificate: text(1, 20_000).meta({
    description: 'X.509, PEM or base64; several one after another while the provider changes keys',
  }),
});

export const SsoProviderFields = z.discriminatedUnion('type', [OidcProvider, OAuth2Provider, SamlProvider]);
export type SsoProviderFields = z.infer<typeof SsoProviderFields>;

const anyType = {
  name: common.name.optional(),
  enabled: z.boolean().optional(),
  domains: z.array(Domain).max(100).optional(),
  defaultRole: text(1, 100)
    .optional()
    .meta({ description: 'Name of the role that new people get; viewer unless said otherwise' }),
  isMfaTrusted: z.boolean().optional(),
  groupsClaim: text(1, 300).optional(),
  groupRoles: z
    .array(z.strictObject({ group: text(1, 500), role: text(1, 100) }))
    .max(100)
    .optional(),
  clientId: client.clientId.optional(),
  clientSecret: client.clientSecret.optional(),
  scopes: client.scopes,
  entityId: text(1, 1000).optional(),
  ssoUrl: Address.optional(),
  certificate: text(1, 20_000).optional(),
};

/** Fields of all types; which of them a type needs and takes is said by `SsoProviderFields`. */
export const SsoProviderCreate = z.strictObject({
  ...anyType,
  type: SsoType,
  name: common.name,
  preset: SsoPreset.optional(),
  issuer: Address.optional(),
  authorizationUrl: Address.optional(),
  tokenUrl: Address.optional(),
  userInfoUrl: Address.optional(),
  sloUrl: Address.optional(),
});

/** An update may leave anything out, and remove what is optional with null. */
export const SsoProviderUpdate = z.strictObject({
  ...anyType,
  type: SsoType.optional(),
  preset: SsoPreset.nullable().optional(),
  issuer: Address.nullable().optional(),
  authorizationUrl: Address.nullable().optional(),
  tokenUrl: Address.nullable().optional(),
  userInfoUrl: Address.nullable().optional(),
  sloUrl: Address.nullable().optional(),
});
export type SsoProviderUpdate = z.infer<typeof SsoProviderUpdate>;

/** What the administrator copies into the provider's own settings. */
const SsoSetup = z.object({
  redirectUri: z.string().optional(),
  acsUrl: z.string().optional(),
  entityId: z.string().optional(),
  metadataUrl: z.string().optional(),
  sloUrl: z.string().optional(),
  certificate: z.string().optional(),
});

/** How the latest sign-in went, for whoever sets the provider up. */
export const SsoOutcome = z
  .object({
    at: Timestamp,
    isOk: z.boolean(),
    reason: z.string().nullable(),
    claims: z.record(z.string(), z.unknown()).meta({ description: 'What the provider said of the person' }),
  })
  .meta({ id: 'SsoOutcome' });
export type SsoOutcome = z.infer<typeof SsoOutcome>;

export const SsoProvider = z
  .object({
    id: z.string(),
    type: SsoType,
    name: z.string(),
    enabled: z.boolean(),
    domains: z.array(z.string()),
    defaultRole: z.string(),
    isMfaTrusted: z.boolean(),
    groupsClaim: z.string(),
    groupRoles: z.array(z.object({ group: z.string(), role: z.string() })),
    preset: SsoPreset.optional(),
    clientId: z.string().optional(),
    hasClientSecret: z.boolean(),
    scopes: z.array(z.string()).optional(),
    issuer: z.string().optional(),
    authorizationUrl: z.string().optional(),
    tokenUrl: z.string().optional(),
    userInfoUrl: z.string().optional(),
    entityId: z.string().optional(),
    ssoUrl: z.string().optional(),
    sloUrl: z.string().optional(),
    certificate: z.string().optional(),
    setup: SsoSetup,
    lastSignIn: SsoOutcome.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'SsoProvider' });
export type SsoProvider = z.infer<typeof SsoProvider>;

export const SsoProviderPage = page(SsoProvider).meta({ id: 'SsoProviderPage' });

/** How a sign-in begins. */
export const SsoStart = z.strictObject({
  provider: text(1, 100).meta({ description: 'Id of a provider, or the name of a service-wide one, e.g. github' }),
  returnTo: text(1, 2000).optional().meta({ description: 'Where the browser goes afterwards: a path on this host' }),
  response: z
    .enum(['session', 'token', 'test'])
    .default('session')
    .meta({ description: '`token`: the callback answers login tokens as JSON' }),
});

/** Providers that somebody with this address may sign in through. */
export const SsoChoices = z
  .object({ providers: z.array(z.object({ id: z.string(), name: z.string(), type: SsoType, url: z.string() })) })
  .meta({ id: 'SsoChoices' });
