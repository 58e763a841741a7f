import { DNS_LABEL_PATTERN, type ConnectorDefinition } from '../../connector';
import { excelTableOperations } from './excel-tables';
import { excelWorksheetOperations } from './excel-worksheets';
import { microsoftGraphChoices } from './graph-choices';
import { onedriveOperations } from './onedrive';
import { outlookCalendarOperations } from './outlook-calendar';
import { outlookFolderOperations } from './outlook-folders';
import { outlookMessageOperations } from './outlook-messages';
import { outlookSendingOperations } from './outlook-sending';
import { microsoftPeopleOperations } from './people';
import { sharepointOperations } from './sharepoint';
import { teamsChannelOperations } from './teams-channels';
import { teamsMessageOperations } from './teams-messages';
import { microsoftGraphSubscriptions } from '../../subscriptions/microsoft-graph';

const SHAREPOINT_LIMITS_PAGE =
  'https://learn.microsoft.com/sharepoint/dev/general-development/how-to-avoid-getting-throttled-or-blocked-in-sharepoint-online';

export const microsoftGraphConnector: ConnectorDefinition = {
  id: 'microsoft_graph',
  name: 'Microsoft Graph',
  description: 'Outlook, Teams, OneDrive, SharePoint and Excel of Microsoft 365.',
  synonyms: ['outlook', 'onedrive', 'office 365', 'microsoft 365', 'teams', 'sharepoint', 'excel'],
  flow: 'authorization_code',
  // https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
  authorizeUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize',
  // https://learn.microsoft.com/entra/identity-platform/refresh-tokens: a new refresh token at every use, 90 days; the
  // used one isn't revoked.
  tokenUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token',
  apiUrl: 'https://graph.microsoft.com/v1.0',
  // https://learn.microsoft.com/graph/permissions-reference
  scopes: { 'User.Read': 'User.Read', 'Files.Read': 'Files.Read' },
  optionalScopes: {
    'User.ReadBasic.All': 'User.ReadBasic.All',
    'Files.ReadWrite': 'Files.ReadWrite',
    'Files.ReadWrite.All': 'Files.ReadWrite.All',
    'Sites.Read.All': 'Sites.Read.All',
    'Sites.ReadWrite.All': 'Sites.ReadWrite.All',
    'Mail.Read': 'Mail.Read',
    'Mail.ReadWrite': 'Mail.ReadWrite',
    'Mail.Send': 'Mail.Send',
    'MailboxSettings.Read': 'MailboxSettings.Read',
    'Calendars.Read': 'Calendars.Read',
    'Calendars.ReadWrite': 'Calendars.ReadWrite',
    'Contacts.Read': 'Contacts.Read',
    'Team.ReadBasic.All': 'Team.ReadBasic.All',
    'TeamMember.Read.All': 'TeamMember.Read.All',
    'Channel.ReadBasic.All': 'Channel.ReadBasic.All',
    'Channel.Create': 'Channel.Create',
    'Channel.Delete.All': 'Channel.Delete.All',
    'ChannelSettings.ReadWrite.All': 'ChannelSettings.ReadWrite.All',
    'ChannelMember.Read.All': 'ChannelMember.Read.All',
    'ChannelMessage.Send': 'ChannelMessage.Send',
    'ChannelMessage.Read.All': 'ChannelMessage.Read.All',
    'Chat.ReadWrite': 'Chat.ReadWrite',
  },
  impliedScopes: 'offline_access',
  parameters: [
    {
      name: 'tenant',
      title: 'Tenant',
      hint: 'the id of your directory; empty: any',
      required: false,
      pattern: DNS_LABEL_PATTERN,
      rule: 'must be the bare id of a directory, without dots',
      fallback: 'common',
    },
  ],
  clientAuthentication: 'form',
  setup:
    'In Microsoft Entra register an app with the redirect URL (type Web), add the delegated permissions and make a client secret. Outlook needs Mail.ReadWrite, Mail.Send and Calendars.ReadWrite; OneDrive and Excel Files.ReadWrite; SharePoint Sites.ReadWrite.All; Teams Team.ReadBasic.All, Channel.ReadBasic.All, ChannelMessage.Send and Chat.ReadWrite. Those of Teams that end in .All and read or change more need the consent of an administrator.',
  probe: { path: '/me' },
  // https://learn.microsoft.com/graph/throttling-limits: the smallest of its services for one account.
  limits: { perMinute: 240, concurrent: 4, source: 'https://learn.microsoft.com/graph/throttling-limits' },
  choices: microsoftGraphChoices,
  services: [
    {
      id: 'outlook',
      name: 'Microsoft Outlook',
      description: 'Emails, calendars and contacts.',
      synonyms: ['email', 'mail', 'inbox', 'office 365', 'exchange', 'calendar', 'event', 'meeting', 'contact'],
      limits: { perMinute: 1000, concurrent: 4, source: 'https://learn.microsoft.com/graph/throttling-limits' },
    },
    {
      id: 'teams',
      name: 'Microsoft Teams',
      description: 'Messages in channels and chats, teams and their members.',
      synonyms: ['chat', 'channel', 'message', 'team'],
      limits: { perMinute: 240, source: 'https://learn.microsoft.com/graph/throttling-limits' },
    },
    {
      id: 'onedrive',
      name: 'Microsoft OneDrive',
      description: 'Files and folders of the account.',
      synonyms: ['files', 'storage', 'upload', 'download', 'folder'],
      limits: { perMinute: 600, source: SHAREPOINT_LIMITS_PAGE },
    },
    {
      id: 'sharepoint',
      name: 'Microsoft SharePoint',
      description: 'Sites, lists and document libraries.',
      synonyms: ['site', 'list', 'library', 'document', 'intranet'],
      limits: { perMinute: 600, source: SHAREPOINT_LIMITS_PAGE },
    },
    {
      id: 'excel',
      name: 'Microsoft Excel',
      description: 'Rows, sheets and tables of workbooks in OneDrive and SharePoint.',
      synonyms: ['spreadsheet', 'workbook', 'rows', 'table', 'xlsx', 'excel 365'],
      limits: { perMinute: 9000, source: 'https://learn.microsoft.com/graph/throttling-limits' },
    },
    {
      id: 'people',
      name: 'Microsoft 365 people',
      description: 'Profiles of the organization.',
      synonyms: ['user', 'directory', 'entra', 'azure ad', 'profile'],
    },
  ],
  subscriptions: microsoftGraphSubscriptions,
  operations: [
    ...outlookSendingOperations,
    ...outlookMessageOperations,
    ...outlookFolderOperations,
    ...outlookCalendarOperations,
    ...teamsMessageOperations,
    ...teamsChannelOperations,
    ...onedriveOperations,
    ...sharepointOperations,
    ...excelWorksheetOperations,
    ...excelTableOperations,
    ...microsoftPeopleOperations,
  ],
};
