import { z } from 'zod';
import { boundedText } from '../text';
import {
  HMAC_ALGORITHMS,
  HMAC_ENCODINGS,
  JWT_ALGORITHMS,
  SECRET_FIELDS_BY_KIND,
  WEBHOOK_PROVIDERS,
} from './webhook-constants';

/** Senders whose published signature the service checks. */
export const WebhookProvider = z
  .enum(WEBHOOK_PROVIDERS)
  .meta({ id: 'WebhookProvider', description: 'A sender with signing rules of its own' });
export type WebhookProvider = z.infer<typeof WebhookProvider>;

/** A header name as HTTP defines it, in lower case. Headers that only the service sets are refused. */
export const WebhookHeaderName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, { error: 'must be a header name' })
  .refine((name) => !/^x-weft-/i.test(name), { error: 'is a header of the service itself' })
  .toLowerCase();

const printableAscii = (min: number, max: number) =>
  z
    .string()
    .min(min)
    .max(max)
    .regex(/^[\x20-\x7e]*$/, { error: 'must be printable ASCII' });

const writeOnlySecret = (min: number, max: number) =>
  boundedText(min, max).optional().meta({ description: 'Write-only: answers show it masked' });

const SignatureVerification = z.strictObject({
  kind: z.literal('signature').describe('How the sender proves who it is'),
  secret: writeOnlySecret(8, 512).meta({ description: 'Made by the service if it is left out, and then shown once' }),
  header: WebhookHeaderName.default('x-service-signature').describe('The name of the header'),
  algorithm: z.enum(HMAC_ALGORITHMS).default('sha256').describe('The hash function of the HMAC'),
  encoding: z.enum(HMAC_ENCODINGS).default('hex').describe('How the signature is written'),
  prefix: printableAscii(0, 50).default('sha256=').meta({ description: 'What the value of the header begins with' }),
});

const ProviderVerification = z.strictObject({
  kind: z.literal('provider').describe('How the sender proves who it is'),
  provider: WebhookProvider,
  secret: writeOnlySecret(1, 1000).meta({
    description: 'The signing secret, token or public key that the provider shows. Write-only: answers show it masked',
  }),
  verifyToken: writeOnlySecret(1, 512).meta({ description: 'Only `meta`: the verify token of the subscription' }),
});

const BasicVerification = z.strictObject({
  kind: z.literal('basic').describe('How the sender proves who it is'),
  username: boundedText(1, 256)
    .refine((name) => !name.includes(':'), { error: 'must not contain a colon' })
    .describe('The user name'),
  password: writeOnlySecret(1, 512),
});

const HeaderVerification = z.strictObject({
  kind: z.literal('header').describe('How the sender proves who it is'),
  name: WebhookHeaderName.describe('Header that carries the secret'),
  value: printableAscii(1, 1000).optional().meta({ description: 'Write-only: answers show it masked' }),
});

const isJwksUrl = (value: string) => {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '';
};

const JwtVerification = z.strictObject({
  kind: z.literal('jwt').describe('How the sender proves who it is'),
  algorithms: z
    .array(z.enum(JWT_ALGORITHMS))
    .min(1)
    .max(JWT_ALGORITHMS.length)
    .describe('The signature algorithms that are accepted'),
  key: writeOnlySecret(8, 10_000).meta({ description: 'The shared secret, or the public key as PEM' }),
  jwksUrl: boundedText(1, 2000)
    .refine(isJwksUrl, { error: 'must be an http or https address without a user name' })
    .optional()
    .meta({ description: 'Instead of `key`: the address of the public keys (JWK Set)' }),
  issuer: boundedText(1, 500).optional().describe('The issuer of tokens'),
  audience: boundedText(1, 500).optional().describe('The audience that a token must name'),
  allowWithoutExpiry: z
    .boolean()
    .optional()
    .meta({
      description:
        'Tokens without a time of expiry (`exp`) are accepted: whoever has seen one can use it for ever. Default: false; a change that ' +
        'leaves it out keeps it. Webhooks from before this setting have true',
    }),
});

const ApiKeyVerification = z.strictObject({ kind: z.literal('api_key').describe('How the sender proves who it is') });
const NoVerification = z.strictObject({ kind: z.literal('none').describe('How the sender proves who it is') });

/**
 * How the service knows that a delivery comes from its sender. Fields that hold secrets are optional here, because a
 * change may leave them out; the operation says which are missing.
 */
export const WebhookVerification = z
  .discriminatedUnion('kind', [
    SignatureVerification,
    ProviderVerification,
    BasicVerification,
    HeaderVerification,
    JwtVerification,
    ApiKeyVerification,
    NoVerification,
  ])
  .meta({ id: 'WebhookVerification', description: 'How the webhook recognises its sender' });
export type WebhookVerification = z.output<typeof WebhookVerification>;

/** The fields with secrets that a verification has. */
export function listSecretFields(settings: WebhookVerification): readonly string[] {
  if (settings.kind === 'jwt') return settings.jwksUrl === undefined ? ['key'] : [];
  if (settings.kind === 'provider') return settings.provider === 'meta' ? ['secret', 'verifyToken'] : ['secret'];
  return SECRET_FIELDS_BY_KIND[settings.kind];
}
