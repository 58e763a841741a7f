import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '@/contract/error';
import { DOCUMENTED_VERIFICATION, isSecretKeyAlgorithm, MASK, SECRET_FIELDS } from '@/contract/triggers/webhook-names';
import { secretFieldsOf, type WebhookVerification } from '@/contract/triggers/webhook-verification';
import type { Webhook as Row } from '@/generated/prisma/client';
import { invalid } from '@/server/errors/problem';
import { verificationKey } from '@/server/webhooks/verification/jwt';
import { PROVIDERS } from '@/server/webhooks/verification/provider';

type Secrets = Record<string, string>;

/** A verification as it is stored: its secrets are sealed apart. */
export interface SplitVerification {
  settings: WebhookVerification;
  secrets: Secrets;
  /** Of the kind `jwt`: whether tokens without a time of expiry are accepted; undefined: not said. */
  allowWithoutExpiry?: boolean | undefined;
}

/** Separates the secrets. One that was sent back masked counts as left out. */
export function splitVerification(given: WebhookVerification = DOCUMENTED_VERIFICATION): SplitVerification {
  const names: readonly string[] = SECRET_FIELDS[given.kind];
  const { allowWithoutExpiry, ...fields } = given as WebhookVerification & { allowWithoutExpiry?: boolean };
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const isSecret = ([name]: [string, unknown]) => names.includes(name);
  return {
    settings: Object.fromEntries(entries.filter((entry) => !isSecret(entry))) as WebhookVerification,
    secrets: Object.fromEntries(entries.filter((entry) => isSecret(entry) && entry[1] !== MASK)) as Secrets,
    allowWithoutExpiry,
  };
}

/** As it is stored: without secrets, and without `allowWithoutExpiry`. */
export const verificationOf = ({ verification }: Row): WebhookVerification =>
  (verification as WebhookVerification | null) ?? DOCUMENTED_VERIFICATION;

/** With its secrets masked. */
export function shownVerification(row: Row): WebhookVerification {
  const shown = maskedVerification(verificationOf(row));
  return shown.kind === 'jwt' ? { ...shown, allowWithoutExpiry: row.allowWithoutExpiry } : shown;
}

/** Whether tokens without a time of expiry are accepted. A change of a token's other settings that does not say so keeps it. */
export const allowsWithoutExpiry = ({ settings, allowWithoutExpiry }: SplitVerification, before?: Row): boolean =>
  allowWithoutExpiry ??
  (settings.kind === 'jwt' &&
    before !== undefined &&
    verificationOf(before).kind === 'jwt' &&
    before.allowWithoutExpiry);

/** The verification as answers show it, as far as it is stored in one. */
const maskedVerification = (settings: WebhookVerification = DOCUMENTED_VERIFICATION): WebhookVerification => ({
  ...settings,
  ...Object.fromEntries(secretFieldsOf(settings).map((name) => [name, MASK])),
});

export const isDocumentedVerification = (settings: WebhookVerification): boolean =>
  isDeepStrictEqual(settings, DOCUMENTED_VERIFICATION);

/** Whether a change of the verification changes nothing: it names the same settings and no secret. */
export const isSameVerification = ({ settings, secrets }: SplitVerification, before: WebhookVerification): boolean =>
  Object.keys(secrets).length === 0 && isDeepStrictEqual(settings, before);

const at = (field: string, message: string): FieldError => ({ field: `verification.${field}`, message });

/** Throws unless every secret is given that this verification needs, and can be one. The service makes that of a signature. */
export function requireSecrets({ settings, secrets }: SplitVerification): void {
  const needed = settings.kind === 'signature' ? [] : secretFieldsOf(settings);
  const errors = needed.filter((name) => secrets[name] === undefined).map((name) => at(name, 'is required'));
  const surplus = Object.keys(secrets).filter((name) => !secretFieldsOf(settings).includes(name));
  errors.push(...surplus.map((name) => at(name, SURPLUS[name] ?? 'is not used here')));
  if (errors.length === 0) errors.push(...issuesOf(settings, secrets));
  if (errors.length > 0) throw invalid(errors);
}

const SURPLUS: Record<string, string> = {
  key: 'must be left out beside jwksUrl',
  verifyToken: 'is used by the provider meta only',
};

function issuesOf(settings: WebhookVerification, secrets: Secrets): FieldError[] {
  if (settings.kind === 'provider') {
    const issue = PROVIDERS[settings.provider].secretIssue?.(secrets['secret'] ?? '');
    return issue ? [at('secret', issue)] : [];
  }
  if (settings.kind !== 'jwt') return [];
  const { algorithms, jwksUrl } = settings;
  const shared = algorithms.filter(isSecretKeyAlgorithm);
  if (shared.length > 0 && (jwksUrl !== undefined || shared.length < algorithms.length)) {
    return [at('algorithms', 'must be either algorithms with a shared secret (HS…) or with a public key')];
  }
  return jwksUrl === undefined && !isKey(secrets['key'] ?? '', algorithms)
    ? [at('key', 'must be a public key as PEM for these algorithms, or a shared secret for HS…')]
    : [];
}

/** A public key is no shared secret: everyone who has it could sign. */
function isKey(key: string, algorithms: readonly string[]): boolean {
  if (key.includes('-----BEGIN') === algorithms.every(isSecretKeyAlgorithm)) return false;
  try {
    verificationKey(key, algorithms);
    return true;
  } catch {
    return false;
  }
}
