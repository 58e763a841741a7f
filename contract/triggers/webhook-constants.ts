// Constants of webhooks without their schemas, so that pages need not load zod for them.

export const WEBHOOK_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Senders whose published signature the service checks. */
export const WEBHOOK_PROVIDERS = [
  'github',
  'gitlab',
  'stripe',
  'shopify',
  'slack',
  'standard_webhooks',
  'svix',
  'typeform',
  'linear',
  'twilio',
  'mailgun',
  'discord',
  'meta',
  'zoom',
  'telegram',
  'paddle',
  'square',
  'calendly',
  'hubspot',
  'trello',
  'microsoft_graph',
  'asana',
  'zendesk',
  'mailchimp',
] as const;

/** Replaces stored secrets in every response. A request that sends it back keeps the secret. */
export const SECRET_MASK = '********';

export const HMAC_ALGORITHMS = ['sha256', 'sha1', 'sha512'] as const;
export const HMAC_ENCODINGS = ['hex', 'base64'] as const;

const SECRET_KEY_ALGORITHMS = ['HS256', 'HS384', 'HS512'] as const;
const PUBLIC_KEY_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;
export const JWT_ALGORITHMS = [...SECRET_KEY_ALGORITHMS, ...PUBLIC_KEY_ALGORITHMS] as const;

/** Whether tokens of this algorithm are signed with a shared secret. */
export const isSecretKeyAlgorithm = (algorithm: string): boolean =>
  (SECRET_KEY_ALGORITHMS as readonly string[]).includes(algorithm);

/** The verification of the documented webhook: `X-Service-Signature: sha256=<hex>`. */
export const DEFAULT_VERIFICATION = {
  kind: 'signature',
  header: 'x-service-signature',
  algorithm: 'sha256',
  encoding: 'hex',
  prefix: 'sha256=',
} as const;

/** The fields with secrets, by kind. */
export const SECRET_FIELDS_BY_KIND = {
  signature: ['secret'],
  provider: ['secret', 'verifyToken'],
  basic: ['password'],
  header: ['value'],
  jwt: ['key'],
  api_key: [],
  none: [],
} as const;
