import { z } from 'zod';
import { CreatedAt, CreatedBy, ObjectId, UpdatedAt } from '../shared-fields';
import { whyUnsent } from '../unsent-headers';
import { AwsConfig } from './aws';
import {
  allowedHosts,
  CaCertificates,
  destination,
  headerName,
  MAX_SECRET_TEXT,
  secret,
  secretValues,
  TokenParameters,
  type Destinations,
} from './credential-marks';
import { ImapConfig } from './imap';
import { RedisConfig } from './redis';
import { FtpConfig, SshConfig } from './remote';
import { DatabaseTls, Host, port } from './server-address';
import { LlmConfig } from '../llm';
import { McpConfig } from '../mcp';
import { JsonObject, PageQuery, Timestamp, page, text, asStored } from '../text';

export const ApiKeyConfig = z.strictObject({
  apiKey: secret('API key').regex(/^[^\r\n]*$/, { error: 'must be one line' }),
  header: headerName.default('X-API-Key').meta({ title: 'Header' }),
  prefix: text(0, 100)
    .regex(/^[^\r\n]*$/, { error: 'must be one line' })
    .optional()
    .meta({ title: 'Prefix', description: 'Text before the key, e.g. "Bearer ".' }),
  queryParameter: text(1, 100).optional().meta({
    title: 'Query parameter',
    description: 'If set, the key is sent as this parameter and not in the header.',
  }),
  allowedHosts,
});

export const BasicAuthConfig = z.strictObject({
  username: text(1, 1000).meta({ title: 'User name' }),
  password: secret('Password'),
  digest: z
    .boolean()
    .optional()
    .meta({
      title: 'Digest',
      description: 'Digest authentication: the password itself is never sent.',
      ...destination('pin'),
    }),
  allowedHosts,
});

/** basic_auth with `connectorId: "smtp"`: an outgoing mail server. */
export const SmtpConfig = z.strictObject({
  host: text(1, 253).meta({ title: 'Host', ...destination('address') }),
  port: z
    .number()
    .int()
    .min(1)
    .max(65_535)
    .default(587)
    .meta({ title: 'Port', ...destination('address') }),
  secure: z
    .boolean()
    .default(false)
    .meta({
      title: 'Implicit TLS',
      description: 'Usually port 465. Otherwise STARTTLS is used if offered.',
      ...destination('address'),
    }),
  username: text(1, 1000).optional().meta({ title: 'User name' }),
  password: secret('Password').optional(),
});

const databaseConfig = (usualPort: number) =>
  z.strictObject({
    host: Host,
    port: port(usualPort),
    database: text(1, 128).meta({ title: 'Database' }),
    username: text(1, 128).meta({ title: 'User name' }),
    password: secret('Password'),
    tls: DatabaseTls,
    ca: CaCertificates,
  });

export const PostgresConfig = databaseConfig(5432);
/** MySQL or MariaDB. */
export const MysqlConfig = databaseConfig(3306);
export type DatabaseConfig = z.output<typeof PostgresConfig>;

/** Existing tokens, or a client registration. The OAuth exchange of connectors uses the same fields. */
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
      title: 'Authorization URL',
      description: 'Consent page of the provider; its query parameters are kept. Empty: client credentials flow.',
      ...destination('address'),
    }),
  tokenUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional()
    .meta({ title: 'Token URL', ...destination('address') }),
  instanceUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional()
    .meta({ title: 'Instance URL', ...destination('address') }),
  scopes: z.array(text(1, 500)).max(100).optional().meta({ title: 'Scopes' }),
  clientAuthentication: z.enum(['form', 'basic']).optional().meta({
    title: 'Client authentication',
    description: 'In the form body (default) or with HTTP basic authentication.',
    default: 'form',
  }),
  tokenParameters: TokenParameters,
  allowedHosts,
});

const lengthOf = (values: Record<string, string> = {}) =>
  Object.values(values).reduce((sum, { length }) => sum + length, 0);

export const CustomConfig = z
  .strictObject({
    headers: secretValues('Headers', headerName),
    query: secretValues('Query parameters', text(1, 100)),
    allowedHosts,
  })
  .refine(({ headers, query }) => lengthOf(headers) + lengthOf(query) <= MAX_SECRET_TEXT, {
    path: ['headers'],
    error: `must have at most ${MAX_SECRET_TEXT} characters together with the query parameters`,
  })
  .superRefine(({ headers = {} }, context) => {
    for (const [name, value] of Object.entries(headers)) {
      const reason = whyUnsent(name, value);
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

const SCHEMAS = {
  api_key: ApiKeyConfig,
  basic_auth: BasicAuthConfig,
  oauth2: OAuth2Config,
  custom: CustomConfig,
  aws: AwsConfig,
  postgres: PostgresConfig,
  mysql: MysqlConfig,
  redis: RedisConfig,
  imap: ImapConfig,
  ssh: SshConfig,
  ftp: FtpConfig,
  llm: LlmConfig,
  mcp: McpConfig,
  /** Its connector defines the fields. */
  token: z.strictObject({}),
};

/** Types whose secrets are sent to a database server only. */
export const isDatabase = (type: string): type is 'postgres' | 'mysql' => type === 'postgres' || type === 'mysql';

const WITH_SERVER = new Set(['imap', 'llm', 'mcp', 'redis', 'ssh', 'ftp']);

/** Whether credentials of the type name the server that they are for. */
export const namesServer = (type: string): boolean => isDatabase(type) || WITH_SERVER.has(type);

/** The schema of a credential's config. */
export const configSchemaOf = (type: CredentialType, connectorId: string | null) =>
  type === 'basic_auth' && connectorId === 'smtp' ? SmtpConfig : SCHEMAS[type];

/** A mark of a field. It is on the inner schema if the field is optional or has a default. */
function markOf(field: z.ZodType, mark: string): unknown {
  const own = field.meta()?.[mark];
  const isWrapper = field instanceof z.ZodOptional || field instanceof z.ZodDefault;
  return own === undefined && isWrapper ? markOf(field.unwrap() as z.ZodType, mark) : own;
}

const marked = (schema: z.ZodObject, mark: string): [string, unknown][] =>
  Object.entries(schema.shape).flatMap(([name, field]): [string, unknown][] => {
    const value = markOf(field as z.ZodType, mark);
    return value === undefined ? [] : [[name, value]];
  });

/** Names of the secret config fields of a schema. */
export const secretNames = (schema: z.ZodObject): string[] => marked(schema, 'x-secret').map(([name]) => name);

/** The config fields of a schema that decide where secrets are sent. */
export const destinationsOf = (schema: z.ZodObject): Destinations =>
  Object.fromEntries(marked(schema, 'x-destination')) as Destinations;

export const CredentialStatus = z
  .enum(['active', 'expired'])
  .meta({ id: 'CredentialStatus', description: 'Whether the credential can be used' });

/** `config` holds what is not secret; `secretFields` names the secrets that are set. */
export const Credential = z
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
export type Credential = z.infer<typeof Credential>;

/** One credential with the workflows that use it. */
export const CredentialWithUse = Credential.extend({
  usedBy: z
    .array(z.object({ id: ObjectId, name: z.string().describe('What people call it') }))
    .meta({ description: 'Workflows that use it and that the caller may read' }),
  otherUses: z.number().int().meta({ description: 'Number of other workflows that use it' }),
}).meta({ id: 'CredentialWithUse', description: 'A credential with the workflows that use it' });

/** The response to a create, without the config. */
export const CredentialCreated = Credential.omit({ config: true, secretFields: true }).meta({
  id: 'CredentialCreated',
  description: 'A new credential, without its secrets',
});

export const CredentialPage = page(Credential).meta({ id: 'CredentialPage' });

export const CredentialQuery = PageQuery.extend({
  type: CredentialType.optional().describe('Only those of this type'),
  connectorId: text(1, 100).optional().describe('Only credentials of this connector'),
  search: text(0, 200).optional().describe('Only those with this text in their name'),
});

export const CredentialCreate = z.strictObject({
  name: text(1, 200).describe('What people call it'),
  type: CredentialType,
  connectorId: text(1, 100).nullable().default(null).describe('The connector; null: none'),
  config: JsonObject.meta({ description: 'Depends on the type. Secrets are encrypted at rest and never returned.' }),
});

export const CredentialUpdate = z.strictObject({
  name: text(1, 200).optional().describe('What people call it'),
  config: JsonObject.optional().meta({
    description:
      'Replaces the config. An omitted secret is kept, unless a field changes that decides where secrets are sent.',
  }),
  version: z.number().int().optional().describe('The version, from 1'),
});

export const CredentialTest = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2000)
    .optional()
    .meta({
      description:
        'URL for the test request. Connectors, mail servers, databases, Redis, SSH and FTP servers, language models and ' +
        'MCP servers need none.',
    }),
});

/** Result of a credential test. */
export const CredentialTestAnswer = z
  .object({ ok: z.boolean().describe('Whether it succeeded'), message: z.string().describe('What the service said') })
  .meta({ id: 'CredentialTest', description: 'Whether the service accepts the credential' });
