import type { WebhookProvider } from '@/contract/triggers/webhook-verification';
import { asanaWebhooks } from './providers/asana';
import { calendlyWebhooks } from './providers/calendly';
import { discordWebhooks } from './providers/discord';
import { githubWebhooks } from './providers/github';
import { gitlabWebhooks } from './providers/gitlab';
import { hubspotWebhooks } from './providers/hubspot';
import { linearWebhooks } from './providers/linear';
import { mailchimpWebhooks } from './providers/mailchimp';
import { mailgunWebhooks } from './providers/mailgun';
import { metaWebhooks } from './providers/meta';
import { microsoftGraphWebhooks } from './providers/microsoft-graph';
import { paddleWebhooks } from './providers/paddle';
import { shopifyWebhooks } from './providers/shopify';
import { slackWebhooks } from './providers/slack';
import { squareWebhooks } from './providers/square';
import { standardWebhooksProvider } from './providers/standard-webhooks';
import { stripeWebhooks } from './providers/stripe';
import { telegramWebhooks } from './providers/telegram';
import { trelloWebhooks } from './providers/trello';
import { twilioWebhooks } from './providers/twilio';
import { typeformWebhooks } from './providers/typeform';
import { zendeskWebhooks } from './providers/zendesk';
import { zoomWebhooks } from './providers/zoom';
import type { WebhookProviderRecord } from './provider-record';

/** Every sender whose signature is checked, by its name in the API. */
export const WEBHOOK_PROVIDER_RECORDS: Record<WebhookProvider, WebhookProviderRecord> = {
  github: githubWebhooks,
  gitlab: gitlabWebhooks,
  stripe: stripeWebhooks,
  shopify: shopifyWebhooks,
  slack: slackWebhooks,
  standard_webhooks: standardWebhooksProvider,
  svix: standardWebhooksProvider,
  typeform: typeformWebhooks,
  linear: linearWebhooks,
  twilio: twilioWebhooks,
  mailgun: mailgunWebhooks,
  discord: discordWebhooks,
  meta: metaWebhooks,
  zoom: zoomWebhooks,
  telegram: telegramWebhooks,
  paddle: paddleWebhooks,
  square: squareWebhooks,
  calendly: calendlyWebhooks,
  hubspot: hubspotWebhooks,
  trello: trelloWebhooks,
  microsoft_graph: microsoftGraphWebhooks,
  asana: asanaWebhooks,
  zendesk: zendeskWebhooks,
  mailchimp: mailchimpWebhooks,
};
