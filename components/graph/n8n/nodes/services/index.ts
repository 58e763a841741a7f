import type { Convert } from '../flow';
import { discord, slack, telegram, twilio, whatsApp } from './chat';
import { airtable, supabase } from './databases';
import { gmail } from './gmail';
import { googleCalendar, googleDocs, googleDrive } from './google';
import { notion } from './notion';
import { microsoftOutlook } from './outlook';
import { hubspot, pipedrive, stripe, zendesk } from './sales';
import { googleSheets } from './sheets';
import { dropbox, mailchimp, sendGrid, wooCommerce, wordpress } from './sites';
import { asana, clickUp, mondayCom, trello } from './tasks';
import { github, jira, linear } from './work';

/** Nodes of services, which become connector nodes. */
export const SERVICES: Readonly<Record<string, Convert>> = {
  googleSheets,
  gmail,
  googleDrive,
  googleCalendar,
  googleDocs,
  microsoftOutlook,
  slack,
  telegram,
  discord,
  whatsApp,
  twilio,
  airtable,
  notion,
  supabase,
  github,
  jira,
  linear,
  clickUp,
  trello,
  asana,
  mondayCom,
  hubspot,
  pipedrive,
  stripe,
  mailchimp,
  zendesk,
  wordpress,
  sendGrid,
  dropbox,
  wooCommerce,
};
