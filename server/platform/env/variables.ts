import { z } from 'zod';
import { WorkspaceTier } from '@/contract/tier';
import { projectContact } from '@/server/platform/release';
import { parseUnproxiedHosts } from './host-rules';
import {
  addressSchema,
  allowedHostsSchema,
  utf8ByteLength,
  securityContactSchema,
  isStorageAddress,
  oneOfSchema,
  originsSchema,
  proxyAddressSchema,
  encryptionKeysSchema,
  signingSecretsSchema,
  websiteAddressSchema,
  wholeNumberSchema,
  booleanSchema,
} from './schemas';

export type EnvironmentSource = Record<string, string | undefined>;

export interface EnvironmentVariable<Value = unknown> {
  meaning: string;
  schema: z.ZodType<Value, string>;
  /** The default as text: fixed, or derived from other variables. Absent: it stays undefined. */
  fallback?: string | ((above: EnvironmentSource) => string);
  /** How docs/operate/configuration.md shows a default that is not fixed. */
  defaultText?: string;
}

const isDevelopmentEnv = (above: EnvironmentSource) => above.DEPLOYMENT_ENV === 'development';
const isSaasEnv = (above: EnvironmentSource) => above.DEPLOYMENT_ENV === 'saas';
const GENERATED_KEY_MEANING = 'generated once in DATA_DIR; required in saas';

const defineVariables = <Table extends Record<string, EnvironmentVariable>>(variables: Table) => variables;

/** Every variable, in the order of the table in docs/operate/configuration.md. */
export const ENVIRONMENT_VARIABLES = defineVariables({
  DEPLOYMENT_ENV: {
    meaning: 'development, selfhosted or saas; sets the defaults of others',
    schema: oneOfSchema('development', 'selfhosted', 'saas'),
    fallback: 'development',
  },
  PORT: { meaning: 'the port that it listens on', schema: wholeNumberSchema(1, 65_535), fallback: '8080' },
  PROBE_PORT: {
    meaning: 'a second port with /healthz, /readyz and /metrics only, for every role; workers have no other',
    schema: wholeNumberSchema(1, 65_535),
    defaultText: 'none; 9090 in the image',
  },
  DRAIN_SECONDS: {
    meaning: 'seconds between SIGTERM, from which on /readyz answers 503, and the end of listening',
    schema: wholeNumberSchema(0, 20),
    fallback: '0',
    defaultText: '`0`; 5 in the image',
  },
  HOST: {
    meaning: 'the address it listens on',
    schema: z.string(),
    fallback: (above) => (isDevelopmentEnv(above) ? '127.0.0.1' : '0.0.0.0'),
    defaultText: '127.0.0.1 in development, else 0.0.0.0',
  },
  API_BASE_URL: {
    meaning: 'the public address of the service',
    schema: websiteAddressSchema,
    fallback: (above) => `http://localhost:${above.PORT}`,
    defaultText: 'http://localhost:PORT',
  },
  OAUTH_REDIRECT_URL: {
    meaning: 'callback address of connectors',
    schema: websiteAddressSchema,
    fallback: (above) => `${above.API_BASE_URL?.replace(/\/+$/, '')}/oauth/callback`,
    defaultText: 'API_BASE_URL/oauth/callback',
  },
  MULTI_TENANT: {
    meaning: 'anyone can sign up and gets a workspace',
    schema: booleanSchema,
    fallback: (above) => String(isSaasEnv(above)),
    defaultText: 'true in saas, else false',
  },
  API_THROUGH_NEXT: {
    meaning: 'the route handlers of Next.js answer the API: the same router, several times slower; for diagnosis',
    schema: booleanSchema,
    fallback: 'false',
  },
  DATABASE_URL: {
    meaning: 'an outside PostgreSQL (13 or later)',
    schema: addressSchema('postgres:', 'postgresql:'),
    defaultText: 'the embedded PostgreSQL in DATA_DIR',
  },
  DATABASE_DIRECT_URL: {
    meaning:
      'the same database without the pooler, if DATABASE_URL leads through one in transaction mode (docs/operate/pooler.md)',
    schema: addressSchema('postgres:', 'postgresql:'),
    defaultText: 'unset: DATABASE_URL is direct',
  },
  DATABASE_PASSWORD: {
    meaning:
      'the password for DATABASE_URL and DATABASE_DIRECT_URL as plain text, in place of one in the address, where it must be encoded',
    schema: z.string(),
  },
  DATA_DIR: {
    meaning: 'folder of the embedded database, the generated keys and the files',
    schema: z.string(),
    fallback: '.data',
  },
  FILES_URL: {
    meaning:
      'S3-compatible storage of files: `s3://bucket/prefix?endpoint=https://…&region=…`; the prefix and the parameters can be left out (docs/data/files.md)',
    schema: addressSchema('s3:').refine(isStorageAddress, {
      error: 'must name a bucket, and an endpoint, if any, that begins with http:// or https://',
    }),
    defaultText: 'the folder `files` in DATA_DIR',
  },
  FILES_ACCESS_KEY_ID: { meaning: 'key of the storage at FILES_URL', schema: z.string() },
  FILES_SECRET_ACCESS_KEY: { meaning: 'secret of that key', schema: z.string() },
  MODELS_FILE: {
    meaning:
      'a JSON file with prices and context sizes of language models, beside those that the service knows (docs/build/ai.md)',
    schema: z.string(),
    defaultText: 'unset: those of the service',
  },
  ROLE: {
    meaning: 'web, worker or both in one process; any number of each on one database',
    schema: oneOfSchema('all', 'web', 'worker'),
    fallback: 'all',
  },
  REDIS_URL: {
    meaning: 'dispatch over Redis or Valkey, for many processes (docs/operate/scaling.md)',
    schema: addressSchema('redis:', 'rediss:'),
    defaultText: 'unset: through PostgreSQL',
  },
  WORKER_CONCURRENCY: {
    meaning: 'concurrent executions per worker process (waiting ones do not count)',
    schema: wholeNumberSchema(1, 10_000),
    fallback: '200',
  },
  EVALUATION_PROCESSES: {
    meaning:
      'evaluator processes for expressions, schemas and code (docs/operate/security.md); a workspace has at most half of them',
    schema: wholeNumberSchema(2, 64),
    defaultText: 'one per processor, 2 to 8',
  },
  EVALUATION_CPU_MS: {
    meaning: 'CPU time limit of one expression or schema check, in milliseconds',
    schema: wholeNumberSchema(10, 60_000),
    fallback: '250',
  },
  EVALUATION_MEMORY_MB: {
    meaning: 'memory limit of one evaluation in addition to its data, in MiB',
    schema: wholeNumberSchema(16, 4096),
    fallback: '64',
  },
  JWT_SECRET: {
    meaning: 'signs access tokens and links; 32 bytes or more; several separated by commas, the newest first',
    schema: signingSecretsSchema,
    defaultText: GENERATED_KEY_MEANING,
  },
  ENCRYPTION_KEY: {
    meaning: 'encrypts secrets; 32 bytes or more; several separated by commas, the newest first',
    schema: encryptionKeysSchema,
    defaultText: GENERATED_KEY_MEANING,
  },
  MFA_SECRET_KEY: {
    meaning: 'encrypts second factors; as ENCRYPTION_KEY',
    schema: encryptionKeysSchema,
    defaultText: GENERATED_KEY_MEANING,
  },
  ADMIN_EMAIL: {
    meaning: 'first owner, created at the first start; without it a one-time link is printed',
    schema: z
      .string()
      .trim()
      .toLowerCase()
      .pipe(z.email({ error: 'must be an email address' })),
  },
  ADMIN_PASSWORD: {
    meaning: 'password of the first owner, 12 to 72 bytes',
    schema: z.string().refine((text) => utf8ByteLength(text) >= 12 && utf8ByteLength(text) <= 72, {
      error: 'must have 12 to 72 bytes',
    }),
  },
  EXPORT_PASSPHRASE: {
    meaning: 'passphrase of the commands workspace:export and workspace:import; the service itself does not use it',
    schema: z.string(),
  },
  SMTP_URL: {
    meaning: 'outgoing mail; without it mail lands in the outbox in development, and fails elsewhere',
    schema: addressSchema('smtp:', 'smtps:'),
  },
  MAIL_FROM: { meaning: 'sender of outgoing mail', schema: z.string(), fallback: 'Weft <weft@localhost>' },
  RATE_LIMIT_TIER: {
    meaning: `tier of new workspaces: ${WorkspaceTier.options.join(', ')}`,
    schema: oneOfSchema(...WorkspaceTier.options),
    fallback: (above) => (isSaasEnv(above) ? 'free' : 'enterprise'),
    defaultText: 'free in saas, else enterprise',
  },
  BCRYPT_COST: { meaning: 'work factor of password hashes', schema: wholeNumberSchema(4, 16), fallback: '12' },
  EGRESS_ALLOW_PRIVATE: {
    meaning: 'workflows may call private and loopback addresses',
    schema: booleanSchema,
    fallback: (above) => String(isDevelopmentEnv(above)),
    defaultText: 'true in development, else false',
  },
  EGRESS_ALLOW: {
    meaning:
      'names, addresses and networks, separated by commas, that workflows may call although they are private: db.internal, *.corp.example, 10.1.0.0/16 (docs/operate/egress.md)',
    schema: allowedHostsSchema,
    defaultText: 'none',
  },
  EGRESS_ALLOW_UNVERIFIED: {
    meaning:
      'calls of `http_request` nodes may accept any certificate, where the node says so (docs/operate/egress.md)',
    schema: booleanSchema,
    fallback: 'true',
  },
  HTTPS_PROXY: {
    meaning:
      'a proxy for calls by HTTP and HTTPS to other hosts, such as http://user:password@proxy:3128 (docs/operate/egress.md)',
    schema: proxyAddressSchema,
    defaultText: 'none',
  },
  NO_PROXY: {
    meaning: 'names, addresses and networks, separated by commas, that are called without the proxy; * for all',
    schema: z.string().transform(parseUnproxiedHosts),
    defaultText: 'none',
  },
  EGRESS_PROXY_TRUSTED: {
    meaning:
      'the proxy resolves names, and decides which of them may be called; addresses in calls are still checked here',
    schema: booleanSchema,
    fallback: 'false',
  },
  EXECUTION_RETENTION_DAYS: {
    meaning: 'days a finished run is kept',
    schema: wholeNumberSchema(1, 36_500),
    fallback: '30',
  },
  AUDIT_LOG_RETENTION_DAYS: {
    meaning: 'days an audit entry is kept',
    schema: wholeNumberSchema(1, 36_500),
    fallback: '365',
  },
  TRUST_PROXY: {
    meaning: 'number of trusted proxies, whose X-Forwarded-* headers are used',
    schema: wholeNumberSchema(0, 10),
    fallback: '0',
  },
  CORS_ORIGINS: {
    meaning: 'origins, separated by commas, whose pages may call the API with a token; * for any',
    schema: originsSchema,
    defaultText: 'none',
  },
  SECURITY_CONTACT: {
    meaning:
      'where people report vulnerabilities of this installation: mailto:…, https://… or tel:…, served at /.well-known/security.txt',
    schema: securityContactSchema,
    fallback: projectContact,
    defaultText: 'the contact of the project, if it has one',
  },
  METRICS_TOKEN: {
    meaning:
      'bearer token of /metrics; without it only programs on this machine may read them, and not through a proxy',
    schema: z.string().refine((text) => utf8ByteLength(text) >= 16, { error: 'must have at least 16 bytes' }),
  },
  LOG_LEVEL: {
    meaning: 'debug, info, warn or error',
    schema: oneOfSchema('debug', 'info', 'warn', 'error'),
    fallback: 'info',
  },
  LOG_FORMAT: {
    meaning: 'text: the messages of start and stop are for people; json: every line is a JSON object',
    schema: oneOfSchema('text', 'json'),
    fallback: 'text',
    defaultText: '`text`; json in the image',
  },
  LOG_REQUESTS: {
    meaning: 'a line of the log for each HTTP request, at level info (docs/operate/observability.md)',
    schema: booleanSchema,
    fallback: 'false',
  },
  LOG_RUNS: {
    meaning: 'a line of the log for each start and end of a run, at level info (docs/operate/observability.md)',
    schema: booleanSchema,
    fallback: 'false',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning:
      'exports traces by OTLP over HTTP to this address; the other standard variables OTEL_… apply (docs/operate/observability.md)',
    schema: addressSchema('http:', 'https:'),
    defaultText: 'unset: no traces',
  },
  TRACE_OUTGOING: {
    meaning: 'while traces are exported, calls of `http_request` and `connector` nodes carry the header traceparent',
    schema: booleanSchema,
    fallback: 'true',
  },
});
