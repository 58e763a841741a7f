import type { Connector } from './connector';
import { airtable } from './providers/data/airtable';
import { docusign } from './providers/docusign';
import { dynamics365 } from './providers/dynamics365';
import { googleCloud } from './providers/google-cloud';
import { google } from './providers/google/google';
import { hubspot } from './providers/hubspot';
import { microsoftGraph } from './providers/microsoft-graph';
import { salesforce } from './providers/salesforce';
import { sap } from './providers/sap';
import { servicenow } from './providers/servicenow';
import { shopify } from './providers/shopify';
import { slack } from './providers/messages/slack';
import { spotify } from './providers/spotify';
import { telegram } from './providers/messages/telegram';
import { trello } from './providers/trello';
import { notion } from './providers/data/notion';
import { github } from './providers/work/github';
import { discord } from './providers/messages/discord';
import { whatsapp } from './providers/messages/whatsapp';
import { supabase } from './providers/data/supabase';
import { jira } from './providers/work/jira';
import { stripe } from './providers/sales/stripe';
import { gitlab } from './providers/work/gitlab';
import { linear } from './providers/work/linear';
import { sendgrid } from './providers/messages/sendgrid';
import { twilio } from './providers/messages/twilio';
import { pipedrive } from './providers/sales/pipedrive';
import { zendesk } from './providers/work/zendesk';
import { mailchimp } from './providers/messages/mailchimp';
import { clickup } from './providers/work/clickup';
import { asana } from './providers/work/asana';
import { monday } from './providers/work/monday';
import { dropbox } from './providers/data/dropbox';
import { calendly } from './providers/work/calendly';
import { typeform } from './providers/data/typeform';
import { wordpress } from './providers/sales/wordpress';
import { woocommerce } from './providers/sales/woocommerce';

/** All connectors. A new one is a file in `providers/` and a line here. */
export const connectors: readonly Connector[] = [
  shopify,
  hubspot,
  spotify,
  servicenow,
  trello,
  dynamics365,
  googleCloud,
  microsoftGraph,
  docusign,
  salesforce,
  sap,
  google,
  slack,
  telegram,
  airtable,
  notion,
  github,
  discord,
  whatsapp,
  supabase,
  jira,
  stripe,
  gitlab,
  linear,
  sendgrid,
  twilio,
  pipedrive,
  zendesk,
  mailchimp,
  clickup,
  asana,
  monday,
  dropbox,
  calendly,
  typeform,
  wordpress,
  woocommerce,
];

export const connectorOf = (id: string | null): Connector | undefined => connectors.find((one) => one.id === id);
