import type { WebhookProvider } from '@/contract/triggers/webhook-verification';
import { asN8nObject, type N8nNode, type N8nObject } from '../file';
import {
  FACEBOOK_ENTRIES_SHAPE,
  GITHUB_CALL_SHAPE,
  GITLAB_CALL_SHAPE,
  shapeHubspotEvent,
  shapeSlackEvent,
  shapeTypeformResponse,
  shapeWhatsAppChanges,
  type SenderShape,
} from './sender-shapes';
import { chosenListValue } from '../nodes/http';
import type { EmptyFieldChoice } from '../remarks';
import { pagePath, type ConvertedTrigger } from './trigger';

/** A service whose signed calls a webhook takes. */
interface SignedSender {
  name: string;
  provider: WebhookProvider;
  /** n8n gives headers and query beside the body. */
  isRequest?: boolean;
  /** What n8n gives of a call, if it is not the body. */
  shape?(parameters: N8nObject, version: number): SenderShape | undefined;
  /** What has no value in n8n either. */
  choices?(parameters: N8nObject): EmptyFieldChoice[];
  /** What is to do besides the secret. */
  task?(parameters: N8nObject, version: number): string | undefined;
}

const ANY_EVENT_TASK = 'Choose its events at the service, and check which of them start the workflow.';
const anyEventTask = () => ANY_EVENT_TASK;

/** n8n starts nothing without events, or for another channel than the chosen one. */
function chooseSlackEvents({ trigger, channelId, watchWorkspace }: N8nObject): EmptyFieldChoice[] {
  const field = 'config.expression';
  const hasEvents = Array.isArray(trigger) && trigger.length > 0;
  const hasChannel = watchWorkspace === true || Boolean(chosenListValue(channelId));
  return [
    ...(hasEvents ? [] : [{ field, sentence: 'Choose its events: it starts for all that Slack sends.' }]),
    ...(hasChannel ? [] : [{ field, sentence: 'Choose its channel: it starts for all of them.' }]),
  ];
}

const SIGNED_SENDERS: Readonly<Record<string, SignedSender>> = {
  telegramTrigger: {
    name: 'Telegram',
    provider: 'telegram',
    task: () => 'Download its files by a node of Telegram: n8n puts them beside the update.',
  },
  slackTrigger: {
    name: 'Slack',
    provider: 'slack',
    shape: shapeSlackEvent,
    choices: chooseSlackEvents,
    task: ({ options, downloadFiles }) =>
      asN8nObject(options)['resolveIds'] === true
        ? 'Add a node that reads the names of users and channels: n8n puts them beside their ids.'
        : downloadFiles === true
          ? 'Add a node that downloads the files: n8n puts them beside the event.'
          : undefined,
  },
  githubTrigger: {
    name: 'GitHub',
    provider: 'github',
    isRequest: true,
    shape: () => GITHUB_CALL_SHAPE,
    task: anyEventTask,
  },
  gitlabTrigger: {
    name: 'GitLab',
    provider: 'gitlab',
    isRequest: true,
    shape: () => GITLAB_CALL_SHAPE,
    task: anyEventTask,
  },
  stripeTrigger: { name: 'Stripe', provider: 'stripe', task: anyEventTask },
  typeformTrigger: { name: 'Typeform', provider: 'typeform', shape: shapeTypeformResponse, task: anyEventTask },
  calendlyTrigger: { name: 'Calendly', provider: 'calendly', task: anyEventTask },
  linearTrigger: { name: 'Linear', provider: 'linear', task: anyEventTask },
  hubspotTrigger: { name: 'HubSpot', provider: 'hubspot', shape: shapeHubspotEvent },
  shopifyTrigger: { name: 'Shopify', provider: 'shopify', task: anyEventTask },
  whatsAppTrigger: { name: 'Meta', provider: 'meta', shape: shapeWhatsAppChanges },
  facebookTrigger: { name: 'Meta', provider: 'meta', shape: () => FACEBOOK_ENTRIES_SHAPE, task: anyEventTask },
  trelloTrigger: {
    name: 'Trello',
    provider: 'trello',
    task: () => 'Make its webhook at Trello for the board, list or card that n8n watches.',
  },
  twilioTrigger: {
    name: 'Twilio',
    provider: 'twilio',
    task: () => 'Check what reads the call: n8n gets the event streams of Twilio, and this webhook takes its messages.',
  },
};

/**
 * A webhook of a service, which refuses all calls until its secret is entered; undefined: Weft knows no such sender.
 */
export function convertSenderWebhook(
  { name, parameters, version }: N8nNode,
  short: string,
): ConvertedTrigger | undefined {
  const sender = Object.hasOwn(SIGNED_SENDERS, short) ? SIGNED_SENDERS[short] : undefined;
  if (!sender) return undefined;
  const { provider, isRequest, shape, task } = sender;
  const choices = sender.choices?.(parameters) ?? [];
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
  const account = `Enter its secret: that which ${sender.name} shows for its webhook, without which it refuses all calls.`;
  const address = `It gets a new address, which is entered at ${sender.name}.`;
  const made = shape?.(parameters, version);
  return {
    triggers: [{ kind: 'webhook', settings }],
    isWhole: false,
    message: [account, address, ...choices.map(({ sentence }) => sentence), task?.(parameters, version)]
      .filter(Boolean)
      .join(' '),
    knowledge: [address],
    choices,
    ...(made === undefined ? {} : { shape: made }),
    names: new Map(),
  };
}

/** A secret that nobody knows. */
export const createRandomSecret = (): string => globalThis.crypto.randomUUID().replaceAll('-', '');
