import { z } from 'zod';
import { CreatedAt, ObjectId, UpdatedAt } from '../shared-fields';
import { Timestamp, pageSchema, boundedText, asStored } from '../text';

export const SsoProviderType = z
  .enum(['oauth2', 'oidc', 'saml'])
  .meta({ id: 'SsoType', description: 'The protocol of a sign-in provider' });
export type SsoProviderType = z.infer<typeof SsoProviderType>;

export const SsoProviderPreset = z
  .enum(['github', 'gitlab', 'google', 'microsoft', 'okta'])
  .meta({ id: 'SsoPreset', description: 'A provider whose addresses are known' });
export type SsoProviderPreset = z.infer<typeof SsoProviderPreset>;

const HttpAddress = z.url({ protocol: /^https?$/ }).max(2000);
/** An email domain, in lower case. */
export const EmailDomain = boundedText(1, 253)
  .transform((domain) => domain.toLowerCase())
  .pipe(
    z
      .string()
      .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/, { error: 'must be a domain such as example.com' }),
  );

const commonProviderFields = {
  name: boundedText(1, 200).describe('What people call it'),
  enabled: z.boolean().default(true),
  domains: z
    .array(EmailDomain)
    .max(100)
    .default([])
    .meta({
      description:
        'Only users with an email in one of these domains may sign in. Empty: any domain. A domain takes effect once it is verified ' +
        '(`domainVerification`): before that it is not offered at sign-in, and no new user can join',
    }),
  defaultRole: boundedText(1, 100).default('viewer').meta({ description: 'Name of the role of new members' }),
  isMfaTrusted: z
    .boolean()
    .default(false)
    .meta({ description: 'The provider requires a second factor, which satisfies `mfaPolicy: required`' }),
  groupsClaim: boundedText(1, 300)
    .default('groups')
    .meta({ description: 'Claim or attribute with the groups of a user' }),
  groupRoles: z
    .array(z.strictObject({ group: boundedText(1, 500), role: boundedText(1, 100) }))
    .max(100)
    .default([])
    .meta({ description: 'Roles by group, updated at each sign-in' }),
};

const oauthClientFields = {
  clientId: boundedText(1, 1000),
  clientSecret: boundedText(1, 5000).meta({
    description: 'Stored encrypted. An update without it keeps it, unless a URL changes',
  }),
  preset: SsoProviderPreset.optional(),
  scopes: z
    .array(boundedText(1, 200).regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { error: 'must be a scope' }))
    .max(50)
    .optional()
    .describe('What the sign-in asks the provider for'),
};

export const OidcProviderFields = z
  .strictObject({
    type: z.literal('oidc'),
    ...commonProviderFields,
    ...oauthClientFields,
    issuer: HttpAddress.optional(),
  })
  .refine(({ issuer, preset }) => issuer || preset === 'google' || preset === 'gitlab', {
    path: ['issuer'],
    error: 'is required',
  });

export const OAuth2ProviderFields = z
  .strictObject({
    type: z.literal('oauth2'),
    ...commonProviderFields,
    ...oauthClientFields,
    issuer: HttpAddress.optional(),
    authorizationUrl: HttpAddress.optional(),
    tokenUrl: HttpAddress.optional(),
    userInfoUrl: HttpAddress.optional(),
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

export const SamlProviderFields = z.strictObject({
  type: z.literal('saml'),
  ...commonProviderFields,
  entityId: boundedText(1, 1000),
  ssoUrl: HttpAddress,
  sloUrl: HttpAddress.optional(),
  certificate: boundedText(1, 20_000).meta({
    description: 'X.509 as PEM or base64; several concatenated during a key rotation',
  }),
});

export const SsoProviderFields = z.discriminatedUnion('type', [
  OidcProviderFields,
  OAuth2ProviderFields,
  SamlProviderFields,
]);
export type SsoProviderFields = z.infer<typeof SsoProviderFields>;

const optionalProviderFields = {
  name: commonProviderFields.name.optional().describe('What people call it'),
  enabled: z.boolean().optional().describe('False: it is switched off'),
  domains: z.array(EmailDomain).max(100).optional().describe('Email domains whose users sign in here'),
  defaultRole: boundedText(1, 100).optional().meta({ description: 'Name of the role of new members; default: viewer' }),
  isMfaTrusted: z.boolean().optional().describe('Whether a second factor at the provider is enough'),
  groupsClaim: boundedText(1, 300).optional().describe('The claim or attribute that lists groups'),
  groupRoles: z
    .array(
      z.strictObject({
        group: boundedText(1, 500).describe('The group at the provider'),
        role: boundedText(1, 100).describe('What the person may do: name of a role'),
      }),
    )
    .max(100)
    .optional()
    .describe('Roles by group at the provider'),
  clientId: oauthClientFields.clientId.optional().describe('The client id of the app at the provider'),
  clientSecret: oauthClientFields.clientSecret.optional(),
  scopes: oauthClientFields.scopes.describe('What the sign-in asks the provider for'),
  entityId: boundedText(1, 1000).optional().describe('The entity id in SAML'),
  ssoUrl: HttpAddress.optional().describe('The address of sign-in over SAML'),
  certificate: boundedText(1, 20_000).optional().describe('The X.509 certificate, as PEM'),
};

/** Fields of all types; `SsoProviderFields` defines those of each type. */
export const CreateSsoProviderRequest = z.strictObject({
  ...optionalProviderFields,
  type: SsoProviderType,
  name: commonProviderFields.name.describe('What people call it'),
  preset: SsoProviderPreset.optional(),
  issuer: HttpAddress.optional().describe('The issuer of tokens'),
  authorizationUrl: HttpAddress.optional().describe('Where a sign-in begins'),
  tokenUrl: HttpAddress.optional().describe('The address of the token endpoint'),
  userInfoUrl: HttpAddress.optional().describe('The address of the user’s data'),
  sloUrl: HttpAddress.optional().describe('The address of single logout'),
});

/** All fields are optional; null removes an optional value. */
export const UpdateSsoProviderRequest = z.strictObject({
  ...optionalProviderFields,
  type: SsoProviderType.optional(),
  preset: SsoProviderPreset.nullable().optional(),
  issuer: HttpAddress.nullable().optional().describe('The issuer of tokens'),
  authorizationUrl: HttpAddress.nullable().optional().describe('Where a sign-in begins'),
  tokenUrl: HttpAddress.nullable().optional().describe('The address of the token endpoint'),
  userInfoUrl: HttpAddress.nullable().optional().describe('The address of the user’s data'),
  sloUrl: HttpAddress.nullable().optional().describe('The address of single logout'),
});
export type UpdateSsoProviderRequest = z.infer<typeof UpdateSsoProviderRequest>;

/** Values to copy to the settings of the provider. */
const ProviderSetupValues = z.object({
  redirectUri: z.string().optional().describe('The redirect address to register at the provider'),
  acsUrl: z.string().optional().describe('The address to which the provider sends its SAML response'),
  entityId: z.string().optional().describe('The entity id in SAML'),
  metadataUrl: z.string().optional().describe('The address of the service provider’s metadata'),
  sloUrl: z.string().optional().describe('The address of single logout'),
  certificate: z.string().optional().describe('The X.509 certificate, as PEM'),
});

/** Result of the latest sign-in, for administrators. */
export const SsoSignInResult = z
  .object({
    at: Timestamp.describe('When it was'),
    isOk: z.boolean().describe('Whether it succeeded'),
    reason: z.string().nullable().describe('The reason; null: none'),
    claims: asStored(z.record(z.string(), z.unknown()).meta({ description: 'Claims that the provider sent' })),
  })
  .meta({ id: 'SsoOutcome', description: 'The result of the last sign-in through the provider' });
export type SsoSignInResult = z.infer<typeof SsoSignInResult>;

/** The result of a test sign-in, which creates no session. */
export const SsoTrialResult = SsoSignInResult.omit({ at: true }).meta({
  id: 'SsoTrial',
  description: 'Result of a sign-in that was only tried',
});

/** Verification of a domain of a provider. */
export const SsoDomainVerification = z
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
export type SsoDomainVerification = z.infer<typeof SsoDomainVerification>;

/** The result of a domain check. */
export const VerifySsoDomainResponse = SsoDomainVerification.extend({
  problem: z.string().nullable().meta({ description: 'Why the domain is not verified' }),
}).meta({ id: 'SsoDomainCheck', description: 'The result of looking for the DNS record of a domain' });

export const SsoProviderResponse = z
  .object({
    id: ObjectId,
    type: SsoProviderType,
    name: z.string().describe('What people call it'),
    enabled: z.boolean().describe('False: it is switched off'),
    domains: z.array(z.string()).describe('Email domains whose users sign in here'),
    domainVerification: z
      .array(SsoDomainVerification)
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
    preset: SsoProviderPreset.optional(),
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
    setup: ProviderSetupValues.describe('What to enter at the provider'),
    lastSignIn: SsoSignInResult.nullable(),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'SsoProvider', description: 'A sign-in provider of a workspace, without its secrets' });
export type SsoProviderResponse = z.infer<typeof SsoProviderResponse>;

export const ListSsoProvidersResponse = pageSchema(SsoProviderResponse).meta({ id: 'SsoProviderPage' });

/** Start of a sign-in. */
export const StartSsoQuery = z.strictObject({
  provider: boundedText(1, 100).meta({
    description: 'Id of a provider, or the name of a service-wide one, e.g. github',
  }),
  returnTo: boundedText(1, 2000).optional().meta({ description: 'Path on this host to open after the sign-in' }),
  response: z
    .enum(['session', 'token', 'test'])
    .default('session')
    .meta({ description: '`token`: the callback responds with login tokens as JSON' }),
});

/** Sign-in providers for an email address. */
export const SsoChoicesResponse = z
  .object({
    providers: z
      .array(
        z.object({
          id: ObjectId,
          name: z.string().describe('What people call it'),
          type: SsoProviderType,
          url: z.string().describe('The address'),
          host: z.string().meta({ description: 'Host of the provider, to show before the redirect' }),
        }),
      )
      .describe('Those that fit the address'),
  })
  .meta({ id: 'SsoChoices', description: 'The sign-in providers for an email address' });
