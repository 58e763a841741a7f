import { z } from 'zod';
import { Tier } from '@/contract/workspace';

export type Source = Record<string, string | undefined>;

export interface Variable<Value = unknown> {
  meaning: string;
  schema: z.ZodType<Value, string>;
  /** The value, as text, when it is unset: fixed, or read off the variables above it. Absent: it stays undefined. */
  fallback?: string | ((above: Source) => string);
  /** How the README shows the default where it isn't the fixed text. */
  shown?: string;
}

const whole = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);
const oneOf = <const Words extends readonly string[]>(...words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });
const yesOrNo = oneOf('true', 'false').transform((text) => text === 'true');
const address = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });
const website = address('http:', 'https:')
  .refine((text) => !/[?#]/.test(text), { error: 'must have neither query nor fragment' })
  .transform((text) => text.replace(/\/+$/, ''));
const bytes = (text: string) => Buffer.byteLength(text);
const secret = z.string().refine((text) => bytes(text) >= 32, { error: 'must have at least 32 bytes' });
const secrets = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .refine((keys) => keys.every((key) => bytes(key) >= 32), {
    error: 'must be one key of at least 32 bytes, or several separated by commas, the newest first',
  });
const isOrigin = (text: string) =>
  text === '*' || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text);
const origins = z
  .string()
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .refine((all) => all.every(isOrigin), {
    error: 'must be origins such as https://app.example.com, separated by commas, or *',
  });
const isDevelopment = (above: Source) => above.DEPLOYMENT_ENV === 'development';
const isSaas = (above: Source) => above.DEPLOYMENT_ENV === 'saas';
const madeOnce = 'made once in DATA_DIR; required in saas';

const table = <Table extends Record<string, Variable>>(variables: Table) => variables;

/** Every variable, in the order of the README's table. */
export const VARIABLES = table({
  DEPLOYMENT_ENV: {
    meaning: 'development, selfhosted or saas; sets the defaults of others',
    schema: oneOf('development', 'selfhosted', 'saas'),
    fallback: 'development',
  },
  PORT: { meaning: 'where it listens', schema: whole(1, 65_535), fallback: '8080' },
  HOST: {
    meaning: 'the address it listens on',
    schema: z.string(),
    fallback: (above) => (isDevelopment(above) ? '127.0.0.1' : '0.0.0.0'),
    shown: '127.0.0.1 in development, else 0.0.0.0',
  },
  API_BASE_URL: {
    meaning: 'the address by which others reach it',
    schema: website,
    fallback: (above) => `http://localhost:${above.PORT}`,
    shown: 'http://localhost:PORT',
  },
  OAUTH_REDIRECT_URL: {
    meaning: 'callback address of connectors',
    schema: website,
    fallback: (above) => `${above.API_BASE_URL?.replace(/\/+$/, '')}/oauth/callback`,
    shown: 'API_BASE_URL/oauth/callback',
  },
  MULTI_TENANT: {
    meaning: 'anybody may sign up and gets a workspace',
    schema: yesOrNo,
    fallback: (above) => String(isSaas(above)),
    shown: 'true in saas, else false',
  },
  DATABASE_URL: {
    meaning: 'an outside PostgreSQL (13 or later)',
    schema: address('postgres:', 'postgresql:'),
    shown: 'the embedded PostgreSQL in DATA_DIR',
  },
  DATA_DIR: { meaning: 'folder of the embedded database and the made keys', schema: z.string(), fallback: '.data' },
  ROLE: {
    meaning: 'web, worker or both in one process; any number of each on one database',
    schema: oneOf('all', 'web', 'worker'),
    fallback: 'all',
  },
  REDIS_URL: {
    meaning: 'dispatch over Redis or Valkey, for many processes (docs/scaling.md)',
    schema: address('redis:', 'rediss:'),
    shown: 'unset: through PostgreSQL',
  },
  WORKER_CONCURRENCY: {
    meaning: 'executions under way per worker process (waiting ones hold nothing)',
    schema: whole(1, 10_000),
    fallback: '200',
  },
  JWT_SECRET: { meaning: 'signs access tokens; 32 bytes or more', schema: secret, shown: madeOnce },
  ENCRYPTION_KEY: {
    meaning: 'encrypts secrets; 32 bytes or more; several separated by commas, the newest first',
    schema: secrets,
    shown: madeOnce,
  },
  MFA_SECRET_KEY: {
    meaning: 'encrypts second factors; as ENCRYPTION_KEY',
    schema: secrets,
    shown: madeOnce,
  },
  ADMIN_EMAIL: {
    meaning: 'first owner, made at the first start; without it a one-time link is printed',
    schema: z
      .string()
      .trim()
      .toLowerCase()
      .pipe(z.email({ error: 'must be an email address' })),
  },
  ADMIN_PASSWORD: {
    meaning: 'password of the first owner, 12 to 72 bytes',
    schema: z.string().refine((text) => bytes(text) >= 12 && bytes(text) <= 72, { error: 'must have 12 to 72 bytes' }),
  },
  SMTP_URL: {
    meaning: 'outgoing mail; without it mail lands in the outbox in development, and fails elsewhere',
    schema: address('smtp:', 'smtps:'),
  },
  MAIL_FROM: { meaning: 'sender of outgoing mail', schema: z.string(), fallback: 'Weft <weft@localhost>' },
  RATE_LIMIT_TIER: {
    meaning: `tier of new workspaces: ${Tier.options.join(', ')}`,
    schema: oneOf(...Tier.options),
    fallback: (above) => (isSaas(above) ? 'free' : 'enterprise'),
    shown: 'free in saas, else enterprise',
  },
  BCRYPT_COST: { meaning: 'work factor of password hashes', schema: whole(4, 16), fallback: '12' },
  EGRESS_ALLOW_PRIVATE: {
    meaning: 'workflows may call private and loopback addresses',
    schema: yesOrNo,
    fallback: (above) => String(isDevelopment(above)),
    shown: 'true in development, else false',
  },
  EXECUTION_RETENTION_DAYS: { meaning: 'days a finished run is kept', schema: whole(1, 36_500), fallback: '30' },
  AUDIT_LOG_RETENTION_DAYS: { meaning: 'days an audit entry is kept', schema: whole(1, 36_500), fallback: '365' },
  TRUST_PROXY: {
    meaning: "how many proxy hops' X-Forwarded-* are believed",
    schema: whole(0, 10),
    fallback: '0',
  },
  CORS_ORIGINS: {
    meaning: 'origins, separated by commas, whose pages may call the API with a token; * for any',
    schema: origins,
    shown: 'none',
  },
  METRICS_TOKEN: {
    meaning: 'bearer token of /metrics; without it only loopback may read them',
    schema: z.string().refine((text) => bytes(text) >= 16, { error: 'must have at least 16 bytes' }),
  },
  LOG_LEVEL: {
    meaning: 'debug, info, warn or error',
    schema: oneOf('debug', 'info', 'warn', 'error'),
    fallback: 'info',
  },
});
