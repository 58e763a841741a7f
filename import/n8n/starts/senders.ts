import type { WebhookProvider } from '@/contract/triggers/webhook-verification';
import type { N8nNode } from '../file';
import { pagePath, type ConvertedTrigger } from './trigger';

/** A service whose signed calls a webhook takes. */
interface SignedSender {
  name: string;
  provider: WebhookProvider;
  /** The paths of the call that hold the fields that n8n gives, by the names in n8n. */
  names?: ReadonlyMap<string, string>;
  /** n8n gives headers and query beside the body. */
  isRequest?: boolean;
  /** Weft makes the webhook there by itself for an event of the palette, once there is an account. */
  isSubscribable?: true;
  hint?: string;
}

const OTHER_FORM_HINT = 'Check what reads the call: n8n gives its fields in another form.';

/** Fields of an event of Slack. */
const SLACK_FIELDS = new Map(['type', 'text', 'user', 'channel', 'ts'].map((name) => [name, `event.${name}`]));
/** Fields of a call of Meta. */
const META_FIELDS = new Map(
  ['messages', 'contacts', 'metadata', 'statuses'].map((name) => [name, `entry[0].changes[0].value.${name}`]),
);

const SIGNED_SENDERS: Readonly<Record<string, SignedSender>> = {
  telegramTrigger: { name: 'Telegram', provider: 'telegram', isSubscribable: true },
  slackTrigger: { name: 'Slack', provider: 'slack', names: SLACK_FIELDS },
  githubTrigger: { name: 'GitHub', provider: 'github', isSubscribable: true, isRequest: true },
  gitlabTrigger: { name: 'GitLab', provider: 'gitlab', isSubscribable: true, isRequest: true },
  stripeTrigger: { name: 'Stripe', provider: 'stripe', isSubscribable: true },
  typeformTrigger: { name: 'Typeform', provider: 'typeform', isSubscribable: true, hint: OTHER_FORM_HINT },
  calendlyTrigger: { name: 'Calendly', provider: 'calendly', isSubscribable: true },
  linearTrigger: { name: 'Linear', provider: 'linear', isSubscribable: true },
  hubspotTrigger: { name: 'HubSpot', provider: 'hubspot', hint: OTHER_FORM_HINT },
  shopifyTrigger: { name: 'Shopify', provider: 'shopify', isSubscribable: true },
  whatsAppTrigger: { name: 'Meta', provider: 'meta', names: META_FIELDS },
  facebookTrigger: { name: 'Meta', provider: 'meta', names: META_FIELDS },
  trelloTrigger: { name: 'Trello', provider: 'trello' },
  twilioTrigger: { name: 'Twilio', provider: 'twilio' },
};

/**
 * A webhook of a service, which refuses all calls until its secret is entered; undefined: Weft knows no such sender.
 */
export function convertSenderWebhook({ name }: N8nNode, short: string): ConvertedTrigger | undefined {
  const sender = Object.hasOwn(SIGNED_SENDERS, short) ? SIGNED_SENDERS[short] : undefined;
  if (!sender) return undefined;
  const { provider, isRequest, isSubscribable, hint, names = new Map<string, string>() } = sender;
  // A random secret keeps all callers out until the secret of the sender is entered.
  const secret = createRandomSecret();
  const verification = {
    kind: 'provider' as const,
    provider,
    secret,
    ...(provider === 'meta' ? { verifyToken: createRandomSecret() } : {}),
  };
  const settings = {
    path: pagePath(name, provider),
    verification,
    ...(isRequest ? { input: 'request' as const } : {}),
  };
  const todo = `Enter the secret that ${sender.name} shows in its webhook, and the address of the webhook there. Until then it refuses all calls.`;
  const event = `Or add an event of ${sender.name} from the palette in its place: with an account there, the webhook is made by itself.`;
  const message = [todo, ...(isSubscribable ? [event] : []), ...(hint === undefined ? [] : [hint])].join(' ');
  return { triggers: [{ kind: 'webhook', settings }], isWhole: false, message, names };
}

/** A secret that nobody knows. */
export const createRandomSecret = (): string => globalThis.crypto.randomUUID().replaceAll('-', '');
