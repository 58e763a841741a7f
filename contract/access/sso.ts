import { z } from 'zod';
import { Timestamp, page, text, asStored } from '../text';

export const SsoType = z.enum(['oauth2', 'oidc', 'saml']).meta({ id: 'SsoType' });
export type SsoType = z.infer<typeof SsoType>;

export const SsoPreset = z.enum(['github', 'gitlab', 'google', 'microsoft', 'okta']).meta({ id: 'SsoPreset' });
export type SsoPreset = z.infer<typeof SsoPreset>;

const Address = z.url({ protocol: /^https?$/ }).max(2000);
/** An email domain, in lower case. */
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
    .meta({
      description:
        'Only users with an email in one of these domains may sign in. Empty: any domain. A domain takes effect once it is verified ' +
        '(`domainVerification`): before that it is not offered at sign-in, and no new user can join',
    }),
  defaultRole: text(1, 100).default('viewer').meta({ description: 'Name of the role of new members' }),
  isMfaTrusted: z
    .boolean()
    .default(false)
    .meta({ description: 'The provider requires a second factor, which satisfies `mfaPolicy: required`' }),
  groupsClaim: text(1, 300).default('groups').meta({ description: 'Claim or attribute with the groups of a user' }),
  groupRoles: z
    .array(z.strictObject({ group: text(1, 500), role: text(1, 100) }))
    .max(100)
    .default([])
    .meta({ description: 'Roles by group, updated at each sign-in' }),
};

const client = {
  clientId: text(1, 1000),
  clientSecret: text(1, 5000).meta({
    description: 'Stored encrypted. An update without it keeps it, unless a URL changes',
  }),
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
    description: 'X.509 as PEM or base64; several concatenated during a key rotation',
  }),
});

export const SsoProviderFields = z.discriminatedUnion('type', [OidcProvider, OAuth2Provider, SamlProvider]);
export type SsoProviderFields = z.infer<typeof SsoProviderFields>;

const anyType = {
  name: common.name.optional(),
  enabled: z.boolean().optional(),
  domains: z.array(Domain).max(100).optional(),
  defaultRole: text(1, 100).optional().meta({ description: 'Name of the role of new members; default: viewer' }),
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

/** Fields of all types; `SsoProviderFields` defines those of each type. */
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

/** All fields are optional; null removes an optional value. */
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

/** Values to copy to the settings of the provider. */
const SsoSetup = z.object({
  redirectUri: z.string().optional(),
  acsUrl: z.string().optional(),
  entityId: z.string().optional(),
  metadataUrl: z.string().optional(),
  sloUrl: z.string().optional(),
  certificate: z.string().optional(),
});

/** Result of the latest sign-in, for administrators. */
export const SsoOutcome = z
  .object({
    at: Timestamp,
    isOk: z.boolean(),
    reason: z.string().nullable(),
    claims: asStored(z.record(z.string(), z.unknown()).meta({ description: 'Claims that the provider sent' })),
  })
  .meta({ id: 'SsoOutcome' });
export type SsoOutcome = z.infer<typeof SsoOutcome>;

/** Result of a sign-in that was only tried. */
export const SsoTrial = SsoOutcome.omit({ at: true }).meta({ id: 'SsoTrial' });

/** Verification of a domain of a provider. */
export const SsoDomain = z
  .object({
    domain: z.string(),
    isVerified: z.boolean(),
    verifiedAt: Timestamp.nullable(),
    record: z.string().meta({
      description: 'Value of the DNS TXT record that verifies the domain',
      example: 'weft-verify=0f3a…',
    }),
  })
  .meta({ id: 'SsoDomain' });
export type SsoDomain = z.infer<typeof SsoDomain>;

/** The result of a domain check. */
export const SsoDomainCheck = SsoDomain.extend({
  problem: z.string().nullable().meta({ description: 'Why the domain is not verified' }),
}).meta({ id: 'SsoDomainCheck' });

export const SsoProvider = z
  .object({
    id: z.string(),
    type: SsoType,
    name: z.string(),
    enabled: z.boolean(),
    domains: z.array(z.string()),
    domainVerification: z
      .array(SsoDomain)
      .meta({ description: 'Verification of each domain, in the order of `domains`' }),
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

/** Start of a sign-in. */
export const SsoStart = z.strictObject({
  provider: text(1, 100).meta({ description: 'Id of a provider, or the name of a service-wide one, e.g. github' }),
  returnTo: text(1, 2000).optional().meta({ description: 'Path on this host to open after the sign-in' }),
  response: z
    .enum(['session', 'token', 'test'])
    .default('session')
    .meta({ description: '`token`: the callback responds with login tokens as JSON' }),
});

/** Sign-in providers for an email address. */
export const SsoChoices = z
  .object({
    providers: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: SsoType,
        url: z.string(),
        host: z.string().meta({ description: 'Host of the provider, to show before the redirect' }),
      }),
    ),
  })
  .meta({ id: 'SsoChoices' });
