import { z } from 'zod';
import { JsonObject, PageQuery, Timestamp, page, text } from './text';

/** Marks a field whose value is sealed at rest and never comes back. */
const secret = (title: string) => text(1, 20_000).meta({ title, 'x-secret': true });

/** A host or `*.` and a domain that the credential may be sent to; no list: anywhere. */
const allowedHosts = z
  .array(
    text(1, 253).regex(/^(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/i, {
      error: 'must be a host such as api.example.com or *.example.com',
    }),
  )
  .max(50)
  .optional()
  .meta({ title: 'Allowed hosts', description: 'The credential is sent to these hosts only. Empty: to any host.' });

const headerName = text(1, 100).regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: 'must be a header name' });
/** What may stand in a header's value: no line break can start another header. */
const headerValue = text(1, 20_000).regex(/^[^\r\n]*$/, { error: 'must be one line' });

export const ApiKeyConfig = z.strictObject({
  apiKey: secret('API key').regex(/^[^\r\n]*$/, { error: 'must be one line' }),
  header: headerName.default('X-API-Key').meta({ title: 'Header' }),
  prefix: text(0, 100)
    .regex(/^[^\r\n]*$/, { error: 'must be one line' })
    .optional()
    .meta({ title: 'Prefix', description: 'Set before the key, e.g. "Bearer ".' }),
  queryParameter: text(1, 100)
    .optional()
    .meta({ title: 'Query parameter', description: 'Sent there instead of in the header.' }),
  allowedHosts,
});

export const BasicAuthConfig = z.strictObject({
  username: text(1, 1000).meta({ title: 'User name' }),
  password: secret('Password'),
  allowedHosts,
});

/** basic_auth with `connectorId: "smtp"`: an outgoing mail server. */
export const SmtpConfig = z.strictObject({
  host: text(1, 253).meta({ title: 'Host' }),
  port: z.number().int().min(1).max(65_535).default(587).meta({ title: 'Port' }),
  secure: z
    .boolean()
    .default(false)
    .meta({ title: 'TLS from the start', description: 'Port 465. Otherwise STARTTLS is used where offered.' }),
  username: text(1, 1000).optional().meta({ title: 'User name' }),
  password: secret('Password').optional(),
});

/** Tokens that were obtained elsewhere, or a client registration; the connector OAuth exchange fills these, too. */
export const OAuth2Config = z.strictObject({
  clientId: text(1, 1000).optional().meta({ title: 'Client id' }),
  clientSecret: secret('Client secret').optional(),
  accessToken: secret('Access token').optional(),
  refreshToken: secret('Refresh token').optional(),
  authorizeUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional()
    .meta({
      title: 'Authorization address',
      description:
        'Where people give their consent. What its query holds is sent along. Empty: the client acts for itself.',
    }),
  tokenUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional()
    .meta({ title: 'Token address' }),
  instanceUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional()
    .meta({ title: 'Instance address' }),
  scopes: z.array(text(1, 500)).max(100).optional().meta({ title: 'Scopes' }),
  clientAuthentication: z.enum(['form', 'basic']).optional().meta({
    title: 'How the client proves itself',
    description: 'In the form (usual), or by HTTP basic.',
    default: 'form',
  }),
  allowedHosts,
});

const secretValues = (title: string, key: z.ZodString) =>
  z.record(key, headerValue).optional().meta({ title, 'x-secret': true });

export const CustomConfig = z.strictObject({
  headers: secretValues('Headers', headerName),
  query: secretValues('Query parameters', text(1, 100)),
  allowedHosts,
});

export const CredentialType = z.enum(['api_key', 'basic_auth', 'oauth2', 'custom']).meta({ id: 'CredentialType' });
export type CredentialType = z.infer<typeof CredentialType>;

/** The schema of a credential's config. */
export const configSchemaOf = (type: CredentialType, connectorId: string | null) =>
  type === 'basic_auth' && connectorId === 'smtp'
    ? SmtpConfig
    : { api_key: ApiKeyConfig, basic_auth: BasicAuthConfig, oauth2: OAuth2Config, custom: CustomConfig }[type];

/** A mark stays on the inner schema when a field is made optional or given a default. */
const isSecret = (field: z.ZodType): boolean =>
  field.meta()?.['x-secret'] === true ||
  ((field instanceof z.ZodOptional || field instanceof z.ZodDefault) && isSecret(field.unwrap() as z.ZodType));

/** Names of the config fields that a schema marks secret. */
export const secretNames = (schema: z.ZodObject): string[] =>
  Object.entries(schema.shape)
    .filter(([, field]) => isSecret(field as z.ZodType))
    .map(([name]) => name);

export const CredentialStatus = z.enum(['active', 'expired']).meta({ id: 'CredentialStatus' });

/** `config` holds what is not secret; `secretFields` names the secrets that are set. */
export const Credential = z
  .object({
    id: z.string(),
    name: z.string(),
    type: CredentialType,
    connectorId: z.string().nullable(),
    status: CredentialStatus,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    expiresAt: Timestamp.nullable(),
    createdBy: z.string().nullable(),
    workspaceId: z.string(),
    version: z.number().int(),
    config: JsonObject,
    secretFields: z.array(z.string()),
  })
  .meta({ id: 'Credential' });
export type Credential = z.infer<typeof Credential>;

/** One credential, with the workflows that refer to it now. */
export const CredentialWithUse = Credential.extend({
  usedBy: z.array(z.object({ id: z.string(), name: z.string() })),
}).meta({ id: 'CredentialWithUse' });

/** The answer to a create: nothing of the config. */
export const CredentialCreated = Credential.omit({ config: true, secretFields: true }).meta({
  id: 'CredentialCreated',
});

export const CredentialPage = page(Credential).meta({ id: 'CredentialPage' });

export const CredentialQuery = PageQuery.extend({
  type: CredentialType.optional(),
  connectorId: text(1, 100).optional(),
  search: text(0, 200).optional(),
});

export const CredentialCreate = z.strictObject({
  name: text(1, 200),
  type: CredentialType,
  connectorId: text(1, 100).nullable().default(null),
  config: JsonObject.meta({ description: 'Depends on the type; secret values are sealed at rest and never returned.' }),
});

export const CredentialUpdate = z.strictObject({
  name: text(1, 200).optional(),
  config: JsonObject.optional().meta({ description: 'Replaces the config; a secret that is left out is kept.' }),
  version: z.number().int().optional(),
});

export const CredentialTest = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .max(2000)
    .optional()
    .meta({ description: 'An address to try it at; connectors and mail servers need none.' }),
});

/** Whether a credential works now, in words. */
export const CredentialTestAnswer = z.object({ ok: z.boolean(), message: z.string() }).meta({ id: 'CredentialTest' });
