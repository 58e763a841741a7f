import { isDeepStrictEqual } from 'node:util';
import type { FieldIssue } from '@/contract/error-response';
import {
  DEFAULT_VERIFICATION,
  isSecretKeyAlgorithm,
  SECRET_MASK,
  SECRET_FIELDS_BY_KIND,
} from '@/contract/triggers/webhook-constants';
import { listSecretFields, type WebhookVerification } from '@/contract/triggers/webhook-verification';
import type { Webhook as Row } from '@/generated/prisma/client';
import { invalidRequestProblem } from '@/server/platform/errors/problem';
import { createVerificationKey } from '@/server/triggers/webhooks/verification/jwt';
import { WEBHOOK_PROVIDER_RECORDS } from '@/server/triggers/webhooks/verification/provider';

type VerificationSecrets = Record<string, string>;

/** A verification as it is stored, with its secrets apart, because they are sealed. */
export interface SplitVerification {
  settings: WebhookVerification;
  secrets: VerificationSecrets;
  /** Whether the kind `jwt` accepts tokens without a time of expiry; undefined if the request does not say. */
  allowWithoutExpiry?: boolean | undefined;
}

/** Separates the secrets. One that was sent back masked counts as left out. */
export function splitVerification(given: WebhookVerification = DEFAULT_VERIFICATION): SplitVerification {
  const names: readonly string[] = SECRET_FIELDS_BY_KIND[given.kind];
  const { allowWithoutExpiry, ...fields } = given as WebhookVerification & { allowWithoutExpiry?: boolean };
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const isSecret = ([name]: [string, unknown]) => names.includes(name);
  return {
    settings: Object.fromEntries(entries.filter((entry) => !isSecret(entry))) as WebhookVerification,
    secrets: Object.fromEntries(
      entries.filter((entry) => isSecret(entry) && entry[1] !== SECRET_MASK),
    ) as VerificationSecrets,
    allowWithoutExpiry,
  };
}

/** Reads the stored verification, which has no secrets and no `allowWithoutExpiry`. */
export const verificationSettings = ({ verification }: Row): WebhookVerification =>
  (verification as WebhookVerification | null) ?? DEFAULT_VERIFICATION;

/** Returns the verification as the API shows it, with its secrets masked. */
export function visibleVerification(row: Row): WebhookVerification {
  const shown = maskVerification(verificationSettings(row));
  return shown.kind === 'jwt' ? { ...shown, allowWithoutExpiry: row.allowWithoutExpiry } : shown;
}

/**
 * Whether tokens without a time of expiry are accepted. A change of a token's other settings that does not say so keeps
 * it.
 */
export const acceptsTokensWithoutExpiry = (
  { settings, allowWithoutExpiry }: SplitVerification,
  before?: Row,
): boolean =>
  allowWithoutExpiry ??
  (settings.kind === 'jwt' &&
    before !== undefined &&
    verificationSettings(before).kind === 'jwt' &&
    before.allowWithoutExpiry);

/** The verification as answers show it, as far as it is stored in one. */
const maskVerification = (settings: WebhookVerification = DEFAULT_VERIFICATION): WebhookVerification => ({
  ...settings,
  ...Object.fromEntries(listSecretFields(settings).map((name) => [name, SECRET_MASK])),
});

export const isDocumentedVerification = (settings: WebhookVerification): boolean =>
  isDeepStrictEqual(settings, DEFAULT_VERIFICATION);

/** Whether a change of the verification changes nothing: it names the same settings and no secret. */
export const isSameVerification = ({ settings, secrets }: SplitVerification, before: WebhookVerification): boolean =>
  Object.keys(secrets).length === 0 && isDeepStrictEqual(settings, before);

const verificationError = (field: string, message: string): FieldIssue => ({ field: `verification.${field}`, message });

/**
 * Throws unless every secret of this verification is given and usable. The service makes the secret of a signature
 * itself.
 */
export function requireVerificationSecrets({ settings, secrets }: SplitVerification): void {
  const needed = settings.kind === 'signature' ? [] : listSecretFields(settings);
  const errors = needed
    .filter((name) => secrets[name] === undefined)
    .map((name) => verificationError(name, 'is required'));
  const surplus = Object.keys(secrets).filter((name) => !listSecretFields(settings).includes(name));
  errors.push(...surplus.map((name) => verificationError(name, UNUSED_SECRET_MESSAGES[name] ?? 'is not used here')));
  if (errors.length === 0) errors.push(...findSecretIssues(settings, secrets));
  if (errors.length > 0) throw invalidRequestProblem(errors);
}

const UNUSED_SECRET_MESSAGES: Record<string, string> = {
  key: 'must be left out beside jwksUrl',
  verifyToken: 'is used by the provider meta only',
};

function findSecretIssues(settings: WebhookVerification, secrets: VerificationSecrets): FieldIssue[] {
  if (settings.kind === 'provider') {
    const issue = WEBHOOK_PROVIDER_RECORDS[settings.provider].secretIssue?.(secrets['secret'] ?? '');
    return issue ? [verificationError('secret', issue)] : [];
  }
  if (settings.kind !== 'jwt') return [];
  const { algorithms, jwksUrl } = settings;
  const shared = algorithms.filter(isSecretKeyAlgorithm);
  if (shared.length > 0 && (jwksUrl !== undefined || shared.length < algorithms.length)) {
    return [
      verificationError('algorithms', 'must be either algorithms with a shared secret (HS…) or with a public key'),
    ];
  }
  return jwksUrl === undefined && !isUsableKey(secrets['key'] ?? '', algorithms)
    ? [verificationError('key', 'must be a public key as PEM for these algorithms, or a shared secret for HS…')]
    : [];
}

/** Refuses a public key as shared secret, because everyone who has it could sign. */
function isUsableKey(key: string, algorithms: readonly string[]): boolean {
  if (key.includes('-----BEGIN') === algorithms.every(isSecretKeyAlgorithm)) return false;
  try {
    createVerificationKey(key, algorithms);
    return true;
  } catch {
    return false;
  }
}
