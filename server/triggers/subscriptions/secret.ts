import type { SubscriptionVerification } from '@/server/connectors/subscription';
import {
  openWebhookSecret,
  openWebhookSecrets,
  sealWebhookSecret,
} from '@/server/triggers/webhooks/verification/secrets';

/** The secret of a subscription, by the field of the verification that has it. */
export const subscriptionSecretFields = (
  { kind }: SubscriptionVerification,
  secret: string,
): Record<string, string> => ({
  [SECRET_FIELD_NAMES[kind]]: secret,
});

/** The field of a verification that has the secret. */
const SECRET_FIELD_NAMES = { provider: 'secret', signature: 'secret', basic: 'password', header: 'value' } as const;

/** Seals the secret of a subscription as its webhook stores it. */
export const sealSubscriptionSecret = (
  webhookId: string,
  verification: SubscriptionVerification,
  secret: string,
): string =>
  sealWebhookSecret(
    webhookId,
    verification.kind === 'signature' ? secret : JSON.stringify(subscriptionSecretFields(verification, secret)),
  );

export const openSubscriptionSecret = (
  webhookId: string,
  { kind }: SubscriptionVerification,
  sealed: string,
): string => {
  if (kind === 'signature') return openWebhookSecret(webhookId, sealed);
  return openWebhookSecrets(webhookId, sealed)[SECRET_FIELD_NAMES[kind]] ?? '';
};
