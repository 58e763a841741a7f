import { z } from 'zod';
import { CreatedAt, ObjectId, UpdatedAt } from '../shared-fields';
import { Timestamp, page, text, asStored } from '../text';

export const SsoType = z
  .enum(['oauth2', 'oidc', 'saml'])
  .meta({ id: 'SsoType', description: 'The protocol of a sign-in provider' });
export type SsoType = z.infer<typeof SsoType>;

export const SsoPreset = z
  .enum(['github', 'gitlab', 'google', 'microsoft', 'okta'])
  .meta({ id: 'SsoPreset', description: 'A provider whose addresses are known' });
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
  name: text(1, 200).describe('What people call it'),
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
    .optional()
    .describe('What the sign-in asks the provider for'),
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
  name: common.name.optional().describe('What people call it'),
  enabled: z.boolean().optional().describe('False: it is switched off'),
  domains: z.array(Domain).max(100).optional().describe('Email domains whose users sign in here'),
  defaultRole: text(1, 100).optional().meta({ description: 'Name of the role of new members; default: viewer' }),
  isMfaTrusted: z.boolean().optional().describe('Whether a second factor at the provider is enough'),
  groupsClaim: text(1, 300).optional().describe('The claim or attribute that lists groups'),
  groupRoles: z
    .array(
      z.strictObject({
        group: text(1, 500).describe('The group at the provider'),
        role: text(1, 100).describe('What the person may do: name of a role'),
      }),
    )
    .max(100)
    .optional()
    .describe('Roles by group at the provider'),
  clientId: client.clientId.optional().describe('The client id of the app at the provider'),
  clientSecret: client.clientSecret.optional(),
  scopes: client.scopes.describe('What the sign-in asks the provider for'),
  entityId: text(1, 1000).optional().describe('The entity id in SAML'),
  ssoUrl: Address.optional().describe('The address of sign-in over SAML'),
  certificate: text(1, 20_000).optional().describe('The X.509 certificate, as PEM'),
};

/** Fields of all types; `SsoProviderFields` defines those of each type. */
export const SsoProviderCreate = z.strictObject({
  ...anyType,
  type: SsoType,
  name: common.name.describe('What people call it'),
  preset: SsoPreset.optional(),
  issuer: Address.optional().describe('The issuer of tokens'),
  authorizationUrl: Address.optional().describe('Where a sign-in begins'),
  tokenUrl: Address.optional().describe('The address of the token endpoint'),
  userInfoUrl: Address.optional().describe('The address of the user’s data'),
  sloUrl: Address.optional().describe('The address of single logout'),
});

/** All fields are optional; null removes an optional value. */
export const SsoProviderUpdate = z.strictObject({
  ...anyType,
  type: SsoType.optional(),
  preset: SsoPreset.nullable().optional(),
  issuer: Address.nullable().optional().describe('The issuer of tokens'),
  authorizationUrl: Address.nullable().optional().describe('Where a sign-in begins'),
  tokenUrl: Address.nullable().optional().describe('The address of the token endpoint'),
  userInfoUrl: Address.nullable().optional().describe('The address of the user’s data'),
  sloUrl: Address.nullable().optional().describe('The address of single logout'),
});
export type SsoProviderUpdate = z.infer<typeof SsoProviderUpdate>;

/** Values to copy to the settings of the provider. */
const SsoSetup = z.object({
  redirectUri: z.string().optional().describe('The redirect address to register at the provider'),
  acsUrl: z.string().optional().describe('The address to which the provider sends its SAML response'),
  entityId: z.string().optional().describe('The entity id in SAML'),
  metadataUrl: z.string().optional().describe('The address of the service provider’s metadata'),
  sloUrl: z.string().optional().describe('The address of single logout'),
  certificate: z.string().optional().describe('The X.509 certificate, as PEM'),
});

/** Result of the latest sign-in, for administrators. */
export const SsoOutcome = z
  .object({
    at: Timestamp.describe('When it was'),
    isOk: z.boolean().describe('Whether it succeeded'),
    reason: z.string().nullable().describe('The reason; null: none'),
    claims: asStored(z.record(z.string(), z.unknown()).meta({ description: 'Claims that the provider sent' })),
  })
  .meta({ id: 'SsoOutcome', description: 'The result of the last sign-in through the provider' });
export type SsoOutcome = z.infer<typeof SsoOutcome>;

/** Result of a sign-in that was only tried. */
export const SsoTrial = SsoOutcome.omit({ at: true }).meta({
  id: 'SsoTrial',
  description: 'Result of a sign-in that was only tried',
});

/** Verification of a domain of a provider. */
export const SsoDomain = z
  .object({
    domain: z.string().describe('The email domain'),
    isVerified: z.boolean().describe('Whether the domain is proven to belong to the workspace'),
    verifiedAt: Timestamp.nullable().describe('When it was proven; null: not yet'),
    record: z.string().meta({
      description: 'Value of the DNS TXT record that verifies the domain',
      example: 'weft-verify=0f3a…',
    }),
  })
  .meta({ id: 'SsoDomain', description: 'An email domain of a sign-in provider' });
export type SsoDomain = z.infer<typeof SsoDomain>;

/** The result of a domain check. */
export const SsoDomainCheck = SsoDomain.extend({
  problem: z.string().nullable().meta({ description: 'Why the domain is not verified' }),
}).meta({ id: 'SsoDomainCheck', description: 'The result of looking for the DNS record of a domain' });

export const SsoProvider = z
  .object({
    id: ObjectId,
    type: SsoType,
    name: z.string().describe('What people call it'),
    enabled: z.boolean().describe('False: it is switched off'),
    domains: z.array(z.string()).describe('Email domains whose users sign in here'),
    domainVerification: z
      .array(SsoDomain)
      .meta({ description: 'Verification of each domain, in the order of `domains`' }),
    defaultRole: z.string().describe('The role of people who sign in for the first time'),
    isMfaTrusted: z.boolean().describe('Whether a second factor at the provider is enough'),
    groupsClaim: z.string().describe('The claim or attribute that lists groups'),
    groupRoles: z
      .array(
        z.object({
          group: z.string().describe('The group at the provider'),
          role: z.string().describe('What the person may do: name of a role'),
        }),
      )
      .describe('Roles by group at the provider'),
    preset: SsoPreset.optional(),
    clientId: z.string().optional().describe('The client id of the app at the provider'),
    hasClientSecret: z.boolean().describe('Whether a client secret is stored'),
    scopes: z.array(z.string()).optional().describe('What the sign-in asks the provider for'),
    issuer: z.string().optional().describe('The issuer of tokens'),
    authorizationUrl: z.string().optional().describe('Where a sign-in begins'),
    tokenUrl: z.string().optional().describe('The address of the token endpoint'),
    userInfoUrl: z.string().optional().describe('The address of the user’s data'),
    entityId: z.string().optional().describe('The entity id in SAML'),
    ssoUrl: z.string().optional().describe('The address of sign-in over SAML'),
    sloUrl: z.string().optional().describe('The address of single logout'),
    certificate: z.string().optional().describe('The X.509 certificate, as PEM'),
    setup: SsoSetup.describe('What to enter at the provider'),
    lastSignIn: SsoOutcome.nullable(),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'SsoProvider', description: 'A sign-in provider of a workspace, without its secrets' });
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
    providers: z
      .array(
        z.object({
          id: ObjectId,
          name: z.string().describe('What people call it'),
          type: SsoType,
          url: z.string().describe('The address'),
          host: z.string().meta({ description: 'Host of the provider, to show before the redirect' }),
        }),
      )
      .describe('Those that fit the address'),
  })
  .meta({ id: 'SsoChoices', description: 'The sign-in providers for an email address' });
