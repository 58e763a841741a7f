import type { NodeConverter } from '../../conversion';
import { convertBaserow } from './baserow';
import { convertDiscord, convertSlack, convertTwilio, convertWhatsApp } from './chat';
import { convertAirtable, convertSupabase } from './databases';
import { convertGmail } from './gmail';
import { convertGoogleCalendar, convertGoogleDocs, convertGoogleDrive } from './google';
import {
  convertMicrosoftExcel,
  convertMicrosoftOnedrive,
  convertMicrosoftSharepoint,
  convertMicrosoftTeams,
} from './microsoft';
import { convertPhantombuster } from './phantombuster';
import { convertN8nApi } from './n8n-api';
import { convertNotion } from './notion';
import { convertMicrosoftOutlook } from './outlook';
import { convertHubspot, convertPipedrive, convertStripe, convertZendesk } from './sales';
import { convertGoogleSheets } from './sheets';
import { convertDropbox, convertMailchimp, convertSendGrid, convertWooCommerce, convertWordpress } from './sites';
import { convertAsana, convertClickUp, convertMondayCom, convertTrello } from './tasks';
import { convertTelegram } from './telegram';
import { convertGithub, convertJira, convertLinear } from './work';

/** Nodes of services, which become connector nodes. */
export const SERVICE_CONVERTERS: Readonly<Record<string, NodeConverter>> = {
  googleSheets: convertGoogleSheets,
  gmail: convertGmail,
  googleDrive: convertGoogleDrive,
  googleCalendar: convertGoogleCalendar,
  googleDocs: convertGoogleDocs,
  microsoftOutlook: convertMicrosoftOutlook,
  microsoftTeams: convertMicrosoftTeams,
  microsoftOneDrive: convertMicrosoftOnedrive,
  microsoftSharePoint: convertMicrosoftSharepoint,
  microsoftExcel: convertMicrosoftExcel,
  slack: convertSlack,
  telegram: convertTelegram,
  discord: convertDiscord,
  whatsApp: convertWhatsApp,
  twilio: convertTwilio,
  airtable: convertAirtable,
  notion: convertNotion,
  supabase: convertSupabase,
  github: convertGithub,
  jira: convertJira,
  linear: convertLinear,
  clickUp: convertClickUp,
  trello: convertTrello,
  asana: convertAsana,
  mondayCom: convertMondayCom,
  hubspot: convertHubspot,
  pipedrive: convertPipedrive,
  stripe: convertStripe,
  mailchimp: convertMailchimp,
  zendesk: convertZendesk,
  wordpress: convertWordpress,
  sendGrid: convertSendGrid,
  dropbox: convertDropbox,
  wooCommerce: convertWooCommerce,
  n8n: convertN8nApi,
  phantombuster: convertPhantombuster,
  baserow: convertBaserow,
};
