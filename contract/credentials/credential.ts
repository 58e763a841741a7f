import { z } from 'zod';
import { CreatedAt, CreatedBy, ObjectId, UpdatedAt } from '../shared-fields';
import { unsentHeaderReason } from '../unsent-headers';
import { AwsCredentialConfig } from './aws';
import {
  allowedHostsField,
  destinationMark,
  requestHeaderName,
  MAX_SECRET_CHARACTERS,
  secretText,
  secretValuesField,
  tokenParametersField,
  type DestinationFields,
} from './credential-fields';
import { MysqlConfig, PostgresConfig } from './database';
import { ImapServerConfig } from './imap';
import { MongoServerConfig } from './mongodb';
import { RedisServerConfig } from './redis';
import { FtpServerConfig, SshServerConfig } from './ssh-ftp';
import { LlmProviderConfig } from '../llm';
import { McpServerConfig } from '../mcp';
import { NamedListSortField } from '../list-sort';
import { JsonObject, PaginationQuery, Timestamp, pageSchema, boundedText, asStored } from '../text';

export const ApiKeyConfig = z.strictObject({
  apiKey: secretText('API key').regex(/^[^\r\n]*$/, { error: 'must be one line' }),
  header: requestHeaderName.default('X-API-Key').meta({ title: 'Header' }),
  prefix: boundedText(0, 100)
    .regex(/^[^\r\n]*$/, { error: 'must be one line' })
    .optional()
    .meta({ title: 'Prefix', description: 'Text before the key, e.g. "Bearer ".' }),
  queryParameter: boundedText(1, 100).optional().meta({
    title: 'Query parameter',
    description: 'If set, the key is sent as this parameter and not in the header.',
  }),
  allowedHosts: allowedHostsField,
});

export const BasicAuthConfig = z.strictObject({
  username: boundedText(1, 1000).meta({ title: 'User name' }),
  password: secretText('Password'),
  digest: z
    .boolean()
    .optional()
    .meta({
      title: 'Digest',
      description: 'Digest authentication: the password itself is never sent.',
      ...destinationMark('pin'),
    }),
  allowedHosts: allowedHostsField,
});

/** basic_auth with `connectorId: "smtp"`: an outgoing mail server. */
export const SmtpServerConfig = z.strictObject({
  host: boundedText(1, 253).meta({ title: 'Host', ...destinationMark('address') }),
  port: z
    .number()
    .int()
    .min(1)
    .max(65_535)
    .default(587)
    .meta({ title: 'Port', ...destinationMark('address') }),
  secure: z
    .boolean()
    .default(false)
    .meta({
      title: 'Implicit TLS',
      description: 'Usually port 465. Otherwise STARTTLS is used if offered.',
      ...destinationMark('address'),
    }),
  username: boundedText(1, 1000).optional().meta({ title: 'User name' }),
  password: secretText('Password').optional(),
});

/** Existing tokens, or a client registration. The OAuth exchange of connectors uses the same fields. */
export const OAuth2Config = z.strictObject({
  clientId: boundedText(1, 1000).optional().meta({ title: 'Client id' }),
  clientSecret: secretText('Client secret').optional(),
  accessToken: secretText('Access token').optional(),
  refreshToken: secretText('Refresh token').optional(),
  authorizeUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional()
    .meta({
      title: 'Authorization URL',
      description: 'Consent page of the provider; its query parameters are kept. Empty: client credentials flow.',
      ...destinationMark('address'),
    }),
  tokenUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional()
    .meta({ title: 'Token URL', ...destinationMark('address') }),
  instanceUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional()
    .meta({ title: 'Instance URL', ...destinationMark('address') }),
  scopes: z.array(boundedText(1, 500)).max(100).optional().meta({ title: 'Scopes' }),
  clientAuthentication: z
    .enum(['form', 'basic'])
    .optional()
    .meta({
      title: 'Client authentication',
      'x-labels': { form: 'In the body of the request', basic: 'HTTP basic authentication' },
      default: 'form',
    }),
  tokenParameters: tokenParametersField,
  allowedHosts: allowedHostsField,
});

const totalValueLength = (values: Record<string, string> = {}) =>
  Object.values(values).reduce((sum, { length }) => sum + length, 0);

export const CustomHeadersConfig = z
  .strictObject({
    headers: secretValuesField('Headers', requestHeaderName),
    query: secretValuesField('Query parameters', boundedText(1, 100)),
    allowedHosts: allowedHostsField,
  })
  .refine(({ headers, query }) => totalValueLength(headers) + totalValueLength(query) <= MAX_SECRET_CHARACTERS, {
    path: ['headers'],
    error: `must have at most ${MAX_SECRET_CHARACTERS} characters together with the query parameters`,
  })
  .superRefine(({ headers = {} }, context) => {
    for (const [name, value] of Object.entries(headers)) {
      const reason = unsentHeaderReason(name, value);
      if (reason === undefined) continue;
      context.addIssue({ code: 'custom', path: ['headers', name], message: `cannot be sent: ${reason}` });
    }
  });

export const CredentialType = z
  .enum([
    'api_key',
    'basic_auth',
    'oauth2',
    'custom',
    'aws',
    'postgres',
    'mysql',
    'redis',
    'mongodb',
    'imap',
    'ssh',
    'ftp',
    'llm',
    'mcp',
    'token',
  ])
  .meta({
    id: 'CredentialType',
    description: 'How the credential proves the identity. `token`: a static token, whose fields its connector defines',
  });
export type CredentialType = z.infer<typeof CredentialType>;

const CONFIG_SCHEMAS = {
  api_key: ApiKeyConfig,
  basic_auth: BasicAuthConfig,
  oauth2: OAuth2Config,
  custom: CustomHeadersConfig,
  aws: AwsCredentialConfig,
  postgres: PostgresConfig,
  mysql: MysqlConfig,
  redis: RedisServerConfig,
  mongodb: MongoServerConfig,
  imap: ImapServerConfig,
  ssh: SshServerConfig,
  ftp: FtpServerConfig,
  llm: LlmProviderConfig,
  mcp: McpServerConfig,
  /** Its connector defines the fields. */
  token: z.strictObject({}),
};

/** Whether the secrets of credentials of this type are only sent to a database server. */
export const isDatabaseCredential = (type: string): type is 'postgres' | 'mysql' =>
  type === 'postgres' || type === 'mysql';

const TYPES_WITH_SERVER = new Set(['imap', 'llm', 'mcp', 'redis', 'mongodb', 'ssh', 'ftp']);

/** Whether credentials of the type name the server that they are for. */
export const credentialNamesServer = (type: string): boolean =>
  isDatabaseCredential(type) || TYPES_WITH_SERVER.has(type);

/** The schema of a credential's config. */
export const configSchemaForType = (type: CredentialType, connectorId: string | null) =>
  type === 'basic_auth' && connectorId === 'smtp' ? SmtpServerConfig : CONFIG_SCHEMAS[type];

/** Reads a mark from the metadata of a field. The inner schema has it if the field is optional or has a default. */
function readFieldMark(field: z.ZodType, mark: string): unknown {
  const own = field.meta()?.[mark];
  const isWrapper = field instanceof z.ZodOptional || field instanceof z.ZodDefault;
  return own === undefined && isWrapper ? readFieldMark(field.unwrap() as z.ZodType, mark) : own;
}

const fieldsWithMark = (schema: z.ZodObject, mark: string): [string, unknown][] =>
  Object.entries(schema.shape).flatMap(([name, field]): [string, unknown][] => {
    const value = readFieldMark(field as z.ZodType, mark);
    return value === undefined ? [] : [[name, value]];
  });

/** Names of the secret config fields of a schema. */
export const secretFieldNames = (schema: z.ZodObject): string[] =>
  fieldsWithMark(schema, 'x-secret').map(([name]) => name);

/** The config fields of a schema that decide where secrets are sent. */
export const destinationFields = (schema: z.ZodObject): DestinationFields =>
  Object.fromEntries(fieldsWithMark(schema, 'x-destination')) as DestinationFields;

export const CredentialStatus = z
  .enum(['active', 'expired'])
  .meta({ id: 'CredentialStatus', description: 'Whether the credential can be used' });

/** `config` holds what is not secret; `secretFields` names the secrets that are set. */
export const CredentialResponse = z
  .object({
    id: ObjectId,
    name: z.string().describe('What people call it'),
    type: CredentialType,
    connectorId: z.string().nullable().describe('The connector; null: none'),
    status: CredentialStatus,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    expiresAt: Timestamp.nullable().describe('When it expires; null: never'),
    createdBy: CreatedBy,
    workspaceId: z.string().describe('Where it belongs'),
    version: z.number().int().describe('The version, from 1'),
    config: asStored(JsonObject.describe('Depends on the type')),
    secretFields: z.array(z.string()).describe('The fields that hold secrets, which are never returned'),
  })
  .meta({ id: 'Credential', description: 'A credential, without its secrets' });
export type CredentialResponse = z.infer<typeof CredentialResponse>;

/** One credential with the workflows that use it. */
export const CredentialWithUsage = CredentialResponse.extend({
  usedBy: z
    .array(z.object({ id: ObjectId, name: z.string().describe('What people call it') }))
    .meta({ description: 'Workflows that use it and that the caller may read' }),
  otherUses: z.number().int().meta({ description: 'Number of other workflows that use it' }),
}).meta({ id: 'CredentialWithUse', description: 'A credential with the workflows that use it' });

/** The response to a create, without the config. */
export const CreateCredentialResponse = CredentialResponse.omit({ config: true, secretFields: true }).meta({
  id: 'CredentialCreated',
  description: 'A new credential, without its secrets',
});

export const ListCredentialsResponse = pageSchema(CredentialResponse).meta({ id: 'CredentialPage' });

export const ListCredentialsQuery = PaginationQuery.extend({
  type: CredentialType.optional().describe('Only those of this type'),
  connectorId: boundedText(1, 100).optional().describe('Only credentials of this connector'),
  search: boundedText(0, 200).optional().describe('Only those with this text in their name'),
  sort: NamedListSortField,
});

export const CreateCredentialRequest = z.strictObject({
  name: boundedText(1, 200).describe('What people call it'),
  type: CredentialType,
  connectorId: boundedText(1, 100).nullable().default(null).describe('The connector; null: none'),
  config: JsonObject.meta({ description: 'Depends on the type. Secrets are encrypted at rest and never returned.' }),
});

export const UpdateCredentialRequest = z.strictObject({
  name: boundedText(1, 200).optional().describe('What people call it'),
  config: JsonObject.optional().meta({
    description:
      'Replaces the config. An omitted secret is kept, unless a field changes that decides where secrets are sent.',
  }),
  version: z.number().int().optional().describe('The version, from 1'),
});

export const TestCredentialRequest = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2000)
    .optional()
    .meta({ description: 'URL for the test request. Credentials that name their server need none.' }),
});

/** Result of a credential test. */
export const TestCredentialResponse = z
  .object({ ok: z.boolean().describe('Whether it succeeded'), message: z.string().describe('What the service said') })
  .meta({ id: 'CredentialTest', description: 'Whether the service accepts the credential' });
