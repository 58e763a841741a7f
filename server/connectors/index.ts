import type { ConnectorDefinition } from './connector';
import { airtableConnector } from './providers/data/airtable';
import { docusignConnector } from './providers/docusign';
import { dynamics365Connector } from './providers/dynamics365';
import { googleCloudConnector } from './providers/google-cloud';
import { googleConnector } from './providers/google/google';
import { hubspotConnector } from './providers/hubspot/hubspot';
import { microsoftGraphConnector } from './providers/microsoft/microsoft-graph';
import { salesforceConnector } from './providers/salesforce';
import { sapConnector } from './providers/sap';
import { servicenowConnector } from './providers/servicenow';
import { shopifyConnector } from './providers/shopify';
import { slackConnector } from './providers/messages/slack';
import { spotifyConnector } from './providers/spotify';
import { telegramConnector } from './providers/messages/telegram';
import { trelloConnector } from './providers/trello';
import { baserowConnector } from './providers/data/baserow';
import { apifyConnector } from './providers/apify/apify';
import { phantombusterConnector } from './providers/phantombuster/phantombuster';
import { n8nConnector } from './providers/n8n/n8n';
import { notionConnector } from './providers/data/notion';
import { githubConnector } from './providers/github/github';
import { discordConnector } from './providers/messages/discord';
import { whatsappConnector } from './providers/messages/whatsapp';
import { supabaseConnector } from './providers/data/supabase';
import { jiraConnector } from './providers/work/jira';
import { stripeConnector } from './providers/sales/stripe';
import { gitlabConnector } from './providers/work/gitlab';
import { linearConnector } from './providers/work/linear';
import { sendgridConnector } from './providers/messages/sendgrid';
import { twilioConnector } from './providers/messages/twilio';
import { pipedriveConnector } from './providers/sales/pipedrive';
import { zendeskConnector } from './providers/work/zendesk';
import { mailchimpConnector } from './providers/messages/mailchimp';
import { clickupConnector } from './providers/work/clickup';
import { asanaConnector } from './providers/work/asana';
import { mondayConnector } from './providers/work/monday';
import { dropboxConnector } from './providers/data/dropbox';
import { calendlyConnector } from './providers/work/calendly';
import { typeformConnector } from './providers/data/typeform';
import { wordpressConnector } from './providers/sales/wordpress';
import { woocommerceConnector } from './providers/sales/woocommerce';

/** All connectors. A new one is a file in `providers/` and a line here. */
export const builtInConnectors: readonly ConnectorDefinition[] = [
  shopifyConnector,
  hubspotConnector,
  spotifyConnector,
  servicenowConnector,
  trelloConnector,
  dynamics365Connector,
  googleCloudConnector,
  microsoftGraphConnector,
  docusignConnector,
  salesforceConnector,
  sapConnector,
  googleConnector,
  slackConnector,
  telegramConnector,
  airtableConnector,
  notionConnector,
  githubConnector,
  discordConnector,
  whatsappConnector,
  supabaseConnector,
  jiraConnector,
  stripeConnector,
  gitlabConnector,
  linearConnector,
  sendgridConnector,
  twilioConnector,
  pipedriveConnector,
  zendeskConnector,
  mailchimpConnector,
  clickupConnector,
  asanaConnector,
  mondayConnector,
  dropboxConnector,
  calendlyConnector,
  typeformConnector,
  wordpressConnector,
  woocommerceConnector,
  n8nConnector,
  apifyConnector,
  baserowConnector,
  phantombusterConnector,
];

export const findBuiltInConnector = (id: string | null): ConnectorDefinition | undefined =>
  builtInConnectors.find((one) => one.id === id);
