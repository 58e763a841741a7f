import path from 'node:path';
import type { z } from 'zod';
import type { WorkspaceTier } from '@/contract/tier';
import type { HostRule } from './host-rules';
import { readSsoSettings, type SsoSettings } from './sso';
import { readConnectorSettings, type ConnectorSettings } from './connectors';
import { ENVIRONMENT_VARIABLES, type EnvironmentSource, type EnvironmentVariable } from './variables';

/** The configuration from the environment, complete and validated. Read through `runtime().env`. */
export interface ServiceEnv {
  deploymentEnv: 'development' | 'selfhosted' | 'saas';
  /** Whether it is a production build (NODE_ENV), in any kind of deployment. */
  isProduction: boolean;
  isApiThroughNext: boolean;
  logLevel: 'debug' | 'info' | 'warn' | 'error';
  logFormat: 'text' | 'json';
  /** A line of the log for each HTTP request. */
  isAccessLogged: boolean;
  /** Lines of the log for the start and end of each run. */
  isRunLogged: boolean;
  /** Where traces are exported to; undefined: nowhere. */
  otlpEndpoint: string | undefined;
  /** Calls of nodes carry the context of their trace. */
  isTraceSent: boolean;
  port: number;
  /** A second port for probes and metrics only; undefined: none. */
  probePort: number | undefined;
  /** Seconds between the signal to stop and the end of listening. */
  drainSeconds: number;
  host: string;
  /** Without a trailing slash. */
  apiBaseUrl: string;
  oauthRedirectUrl: string;
  multiTenant: boolean;
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  /** The same database, where `databaseUrl` leads through a pooler in transaction mode; undefined: there is none. */
  databaseDirectUrl: string | undefined;
  dataDir: string;
  /** Undefined: files are stored in `dataDir`. */
  filesUrl: string | undefined;
  filesAccessKeyId: string | undefined;
  filesSecretAccessKey: string | undefined;
  /** Further prices of language models; undefined: those of the service only. */
  modelsFile: string | undefined;
  role: 'all' | 'web' | 'worker';
  /** Undefined: processes wake each other through PostgreSQL. */
  redisUrl: string | undefined;
  workerConcurrency: number;
  /** Undefined: one per processor, at least two and at most eight. */
  evaluationProcesses: number | undefined;
  /** CPU time limit of one evaluation, in milliseconds. */
  evaluationCpuMs: number;
  /** Memory limit of one evaluation in addition to its data, in MiB. */
  evaluationMemoryMb: number;
  /** The key that signs tokens. */
  jwtSecret: string;
  /** Keys that only verify tokens, until every token that they signed has expired. */
  oldJwtSecrets: string[];
  /** The keys, newest first: the first one seals, and all of them open sealed values. */
  encryptionKeys: string[];
  mfaSecretKeys: string[];
  adminEmail: string | undefined;
  adminPassword: string | undefined;
  exportPassphrase: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  rateLimitTier: WorkspaceTier;
  bcryptCost: number;
  egressAllowPrivate: boolean;
  /** The private addresses that may be called. */
  egressAllow: HostRule[];
  /** Calls may accept any certificate. */
  egressAllowUnverified: boolean;
  /** The proxy of calls by HTTP; undefined: none. */
  httpsProxy: string | undefined;
  noProxy: HostRule[];
  /** The proxy resolves and checks names. */
  isEgressProxyTrusted: boolean;
  executionRetentionDays: number;
  auditLogRetentionDays: number;
  /** Number of trusted proxies, whose `X-Forwarded-*` headers are used. */
  trustProxy: number;
  /** Origins whose pages may call the API; `*` is any. */
  corsOrigins: string[];
  /** Where people report vulnerabilities; undefined: nowhere. */
  securityContact: string | undefined;
  metricsToken: string | undefined;
  /** App registrations and addresses by connector, from `CONNECTOR_<TYPE>_…`. */
  connectors: Record<string, ConnectorSettings>;
  /** Sign-in providers of the whole service, from `OAUTH2_<PROVIDER>_…` and `SAML_IDP_…`. */
  sso: SsoSettings;
}

/** The keys that are generated once if they are not configured. */
export interface ServiceKeys {
  JWT_SECRET: string;
  ENCRYPTION_KEY: string;
  MFA_SECRET_KEY: string;
}

const KEY_NAMES = ['JWT_SECRET', 'ENCRYPTION_KEY', 'MFA_SECRET_KEY'] as const;

type EnvironmentTable = typeof ENVIRONMENT_VARIABLES;
type VariableName = keyof EnvironmentTable;
/** Variables that are never undefined: those with a default, and the keys. */
type IsAlwaysSet<N extends VariableName> = EnvironmentTable[N] extends { fallback: unknown }
  ? true
  : N extends keyof ServiceKeys
    ? true
    : false;
type VariableValues = {
  [N in VariableName]: z.output<EnvironmentTable[N]['schema']> | (IsAlwaysSet<N> extends true ? never : undefined);
};

const VARIABLE_NAMES = Object.keys(ENVIRONMENT_VARIABLES) as VariableName[];

/** Every issue of the environment at once; each begins with the name of its variable. */
export class ConfigurationError extends Error {
  constructor(readonly complaints: string[]) {
    super(complaints.join('\n'));
  }
}

/**
 * Validates the environment; an empty variable counts as unset. `madeKeys` supplies missing keys after everything else
 * is valid; never in `saas`. Throws `ConfigurationError`.
 */
export function readServiceEnv(
  source: EnvironmentSource = process.env,
  madeKeys?: (dataDir: string) => ServiceKeys,
): ServiceEnv {
  const texts: EnvironmentSource = {};
  for (const name of VARIABLE_NAMES) {
    const { fallback }: EnvironmentVariable = ENVIRONMENT_VARIABLES[name];
    texts[name] = source[name] || (typeof fallback === 'function' ? fallback(texts) : fallback);
  }
  // A default derived from a wrong value is not reported separately.
  const wrong = parseVariables(texts).complaints.filter(({ name }) => source[name]);
  const connectors = readConnectorSettings(source);
  const sso = readSsoSettings(source);
  const complaints = [
    ...wrong.map(({ name, message }) => `${name} ${message}`),
    ...adminPairComplaints(texts),
    ...storageComplaints(texts),
    ...proxyComplaints(texts),
    ...portComplaints(texts),
    ...poolerComplaints(texts),
    ...folderComplaints(texts),
    ...connectors.complaints,
    ...sso.complaints,
  ];
  const lacking = KEY_NAMES.filter((name) => texts[name] === undefined);
  if (!madeKeys || texts.DEPLOYMENT_ENV === 'saas') complaints.push(...lacking.map((name) => `${name} must be set`));
  if (complaints.length > 0) throw new ConfigurationError(complaints);
  const generated = lacking.length > 0 ? madeKeys?.(texts.DATA_DIR ?? '') : undefined;
  const { values } = parseVariables({ ...generated, ...withoutUndefinedTexts(texts) });
  return {
    ...toServiceEnv(values, source.NODE_ENV === 'production'),
    connectors: connectors.settings,
    sso: sso.settings,
  };
}

function parseVariables(texts: EnvironmentSource): {
  values: VariableValues;
  complaints: { name: VariableName; message: string | undefined }[];
} {
  const values: Record<string, unknown> = {};
  const complaints: { name: VariableName; message: string | undefined }[] = [];
  for (const name of VARIABLE_NAMES) {
    if (texts[name] === undefined) continue;
    const parsed = ENVIRONMENT_VARIABLES[name].schema.safeParse(texts[name]);
    if (parsed.success) values[name] = parsed.data;
    else complaints.push({ name, message: parsed.error.issues[0]?.message });
  }
  return { values: values as VariableValues, complaints };
}

function adminPairComplaints({ ADMIN_EMAIL, ADMIN_PASSWORD }: EnvironmentSource): string[] {
  if (Boolean(ADMIN_EMAIL) === Boolean(ADMIN_PASSWORD)) return [];
  return ADMIN_EMAIL
    ? ['ADMIN_PASSWORD must be set together with ADMIN_EMAIL']
    : ['ADMIN_EMAIL must be set together with ADMIN_PASSWORD'];
}

function storageComplaints({ FILES_URL, FILES_ACCESS_KEY_ID, FILES_SECRET_ACCESS_KEY }: EnvironmentSource): string[] {
  if (!FILES_URL) return [];
  return Object.entries({ FILES_ACCESS_KEY_ID, FILES_SECRET_ACCESS_KEY }).flatMap(([name, text]) =>
    text ? [] : [`${name} must be set together with FILES_URL`],
  );
}

const portComplaints = ({ PORT, PROBE_PORT }: EnvironmentSource): string[] =>
  PROBE_PORT !== undefined && PROBE_PORT === PORT ? ['PROBE_PORT must be another port than PORT'] : [];

const proxyComplaints = ({ EGRESS_PROXY_TRUSTED, HTTPS_PROXY }: EnvironmentSource): string[] =>
  EGRESS_PROXY_TRUSTED === 'true' && !HTTPS_PROXY ? ['HTTPS_PROXY must be set together with EGRESS_PROXY_TRUSTED'] : [];

const poolerComplaints = ({ DATABASE_URL, DATABASE_DIRECT_URL }: EnvironmentSource): string[] =>
  DATABASE_DIRECT_URL && !DATABASE_URL ? ['DATABASE_URL must be set together with DATABASE_DIRECT_URL'] : [];

/** Node.js never ends making a folder below /proc together with the folders above it. */
const folderComplaints = ({ DATA_DIR = '' }: EnvironmentSource): string[] =>
  /^\/proc(\/|$)/.test(path.resolve(DATA_DIR))
    ? ['DATA_DIR must not be below /proc, where no folders can be made']
    : [];

const withoutUndefinedTexts = (texts: EnvironmentSource): EnvironmentSource =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));

/** The address with a password that is given apart from it. */
function urlWithPassword(address: string | undefined, password: string | undefined): string | undefined {
  if (!address || !password) return address;
  const url = new URL(address);
  url.password = encodeURIComponent(password);
  return url.href;
}

const toServiceEnv = (values: VariableValues, isProduction: boolean): Omit<ServiceEnv, 'connectors' | 'sso'> => ({
  deploymentEnv: values.DEPLOYMENT_ENV,
  isProduction,
  logLevel: values.LOG_LEVEL,
  logFormat: values.LOG_FORMAT,
  isAccessLogged: values.LOG_REQUESTS,
  isRunLogged: values.LOG_RUNS,
  otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
  isTraceSent: values.TRACE_OUTGOING,
  port: values.PORT,
  probePort: values.PROBE_PORT,
  drainSeconds: values.DRAIN_SECONDS,
  host: values.HOST,
  apiBaseUrl: values.API_BASE_URL,
  oauthRedirectUrl: values.OAUTH_REDIRECT_URL,
  multiTenant: values.MULTI_TENANT,
  isApiThroughNext: values.API_THROUGH_NEXT,
  databaseUrl: urlWithPassword(values.DATABASE_URL, values.DATABASE_PASSWORD),
  databaseDirectUrl: urlWithPassword(values.DATABASE_DIRECT_URL, values.DATABASE_PASSWORD),
  dataDir: values.DATA_DIR,
  filesUrl: values.FILES_URL,
  filesAccessKeyId: values.FILES_ACCESS_KEY_ID,
  filesSecretAccessKey: values.FILES_SECRET_ACCESS_KEY,
  modelsFile: values.MODELS_FILE,
  role: values.ROLE,
  redisUrl: values.REDIS_URL,
  workerConcurrency: values.WORKER_CONCURRENCY,
  evaluationProcesses: values.EVALUATION_PROCESSES,
  evaluationCpuMs: values.EVALUATION_CPU_MS,
  evaluationMemoryMb: values.EVALUATION_MEMORY_MB,
  jwtSecret: values.JWT_SECRET[0] ?? '',
  oldJwtSecrets: values.JWT_SECRET.slice(1),
  encryptionKeys: values.ENCRYPTION_KEY,
  mfaSecretKeys: values.MFA_SECRET_KEY,
  adminEmail: values.ADMIN_EMAIL,
  adminPassword: values.ADMIN_PASSWORD,
  exportPassphrase: values.EXPORT_PASSPHRASE,
  smtpUrl: values.SMTP_URL,
  mailFrom: values.MAIL_FROM,
  rateLimitTier: values.RATE_LIMIT_TIER,
  bcryptCost: values.BCRYPT_COST,
  egressAllowPrivate: values.EGRESS_ALLOW_PRIVATE,
  egressAllow: values.EGRESS_ALLOW ?? [],
  egressAllowUnverified: values.EGRESS_ALLOW_UNVERIFIED,
  httpsProxy: values.HTTPS_PROXY,
  noProxy: values.NO_PROXY ?? [],
  isEgressProxyTrusted: values.EGRESS_PROXY_TRUSTED,
  executionRetentionDays: values.EXECUTION_RETENTION_DAYS,
  auditLogRetentionDays: values.AUDIT_LOG_RETENTION_DAYS,
  trustProxy: values.TRUST_PROXY,
  corsOrigins: values.CORS_ORIGINS ?? [],
  securityContact: values.SECURITY_CONTACT,
  metricsToken: values.METRICS_TOKEN,
});

/** next-auth reads the service's address from the process environment only, so it is set before Next starts. */
export function configureNextAuth(apiBaseUrl: string): void {
  process.env.NEXTAUTH_URL = apiBaseUrl;
}

/** The table of variables of docs/operate/configuration.md. */
export const variablesMarkdownTable = (): string =>
  [
    '| Variable | Default | Meaning |',
    '|---|---|---|',
    ...Object.entries<EnvironmentVariable>(ENVIRONMENT_VARIABLES).map(
      ([name, { fallback, defaultText, meaning }]) =>
        `| ${name} | ${defaultText ?? (typeof fallback === 'string' ? `\`${fallback}\`` : 'unset')} | ${meaning} |`,
    ),
    '| `CONNECTOR_<TYPE>_CLIENT_ID`, `…_CLIENT_SECRET` | unset | app registration of a connector, e.g. CONNECTOR_HUBSPOT_CLIENT_ID |',
    '| `CONNECTOR_<TYPE>_AUTHORIZE_URL`, `…_TOKEN_URL`, `…_API_URL` | the provider’s | other addresses of a connector: sandboxes, own systems |',
    '| `OAUTH2_<PROVIDER>_CLIENT_ID`, `…_CLIENT_SECRET` | unset | sign-in for the whole service through github, gitlab, google, microsoft, okta or another provider |',
    '| `OAUTH2_<PROVIDER>_ISSUER`, or `…_AUTHORIZE_URL`, `…_TOKEN_URL`, `…_USERINFO_URL` | the provider’s, where it has one address for all | where that provider is |',
    '| `SAML_IDP_ENTITY_ID`, `SAML_IDP_SSO_URL`, `SAML_IDP_CERTIFICATE`, `SAML_IDP_SLO_URL` | unset | sign-in for the whole service through a SAML identity provider |',
  ].join('\n');
