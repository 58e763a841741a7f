import type { WebhookProvider } from '@/contract/triggers/webhook-verification';
import { calendly } from './providers/calendly';
import { discord } from './providers/discord';
import { github } from './providers/github';
import { gitlab } from './providers/gitlab';
import { hubspot } from './providers/hubspot';
import { linear } from './providers/linear';
import { mailgun } from './providers/mailgun';
import { meta } from './providers/meta';
import { paddle } from './providers/paddle';
import { shopify } from './providers/shopify';
import { slack } from './providers/slack';
import { square } from './providers/square';
import { standardWebhooks } from './providers/standard-webhooks';
import { stripe } from './providers/stripe';
import { telegram } from './providers/telegram';
import { trello } from './providers/trello';
import { twilio } from './providers/twilio';
import { typeform } from './providers/typeform';
import { zoom } from './providers/zoom';
import type { Provider } from './provider-record';

/** Every sender whose signature is checked, by its name in the API. */
export const PROVIDERS: Record<WebhookProvider, Provider> = {
  github,
  gitlab,
  stripe,
  shopify,
  slack,
  standard_webhooks: standardWebhooks,
  svix: standardWebhooks,
  typeform,
  linear,
  twilio,
  mailgun,
  discord,
  meta,
  zoom,
  telegram,
  paddle,
  square,
  calendly,
  hubspot,
  trello,
};
