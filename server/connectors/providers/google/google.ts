import type { ConnectorDefinition } from '../../connector';
import { googleCalendarOperations } from './calendar';
import { googleChoices } from './google-choices';
import { googleDocsOperations } from './docs';
import { googleDriveOperations } from './drive';
import { gmailOperations } from './gmail';
import { googleSheetsOperations } from './sheets';
import { googleSubscriptions } from '../../subscriptions/google';

const GOOGLE_SCOPE_PREFIX = 'https://www.googleapis.com/auth';
const SHEETS_LIMITS_PAGE = 'https://developers.google.com/workspace/sheets/api/limits';

export const googleConnector: ConnectorDefinition = {
  id: 'google',
  name: 'Google',
  description: 'Sheets, Gmail, Drive, Calendar and Docs.',
  synonyms: [
    'google workspace',
    'g suite',
    'gsuite',
    'google sheets',
    'gmail',
    'google drive',
    'google calendar',
    'google docs',
  ],
  flow: 'authorization_code',
  // https://developers.google.com/identity/protocols/oauth2/web-server
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  apiUrl: 'https://www.googleapis.com',
  apis: {
    sheets: 'https://sheets.googleapis.com/v4',
    gmail: 'https://gmail.googleapis.com/gmail/v1',
    gmail_upload: 'https://gmail.googleapis.com/upload/gmail/v1',
    drive: 'https://www.googleapis.com/drive/v3',
    drive_upload: 'https://www.googleapis.com/upload/drive/v3',
    calendar: 'https://www.googleapis.com/calendar/v3',
    docs: 'https://docs.googleapis.com/v1',
    account: 'https://openidconnect.googleapis.com/v1',
  },
  // https://developers.google.com/identity/protocols/oauth2/scopes
  scopes: {
    spreadsheets: `${GOOGLE_SCOPE_PREFIX}/spreadsheets`,
    'gmail.modify': `${GOOGLE_SCOPE_PREFIX}/gmail.modify`,
    drive: `${GOOGLE_SCOPE_PREFIX}/drive`,
    calendar: `${GOOGLE_SCOPE_PREFIX}/calendar`,
    documents: `${GOOGLE_SCOPE_PREFIX}/documents`,
  },
  optionalScopes: {
    'spreadsheets.readonly': `${GOOGLE_SCOPE_PREFIX}/spreadsheets.readonly`,
    'gmail.readonly': `${GOOGLE_SCOPE_PREFIX}/gmail.readonly`,
    'gmail.send': `${GOOGLE_SCOPE_PREFIX}/gmail.send`,
    'drive.readonly': `${GOOGLE_SCOPE_PREFIX}/drive.readonly`,
    'drive.file': `${GOOGLE_SCOPE_PREFIX}/drive.file`,
    'calendar.readonly': `${GOOGLE_SCOPE_PREFIX}/calendar.readonly`,
    // Deletes emails for good.
    'mail.google.com': 'https://mail.google.com/',
  },
  impliedScopes: 'openid email',
  // Same page: a refresh token comes only with `offline`, and again only after a new consent. It doesn't change.
  authorizeParams: { access_type: 'offline', prompt: 'consent' },
  setup:
    'At console.cloud.google.com enable the APIs that you use (Sheets, Gmail, Drive, Calendar, Docs), set up the consent screen, and under "APIs & Services" > "Credentials" create an OAuth client id of the type Web application with the redirect URL.',
  probe: { path: '/userinfo', api: 'account' },
  limits: { perMinute: 60, source: SHEETS_LIMITS_PAGE },
  choices: googleChoices,
  services: [
    {
      id: 'sheets',
      name: 'Google Sheets',
      description: 'Rows, sheets and spreadsheets.',
      synonyms: ['spreadsheet', 'excel', 'rows', 'table', 'csv'],
      limits: { perMinute: 60, source: SHEETS_LIMITS_PAGE },
    },
    {
      id: 'gmail',
      name: 'Gmail',
      description: 'Emails, labels and attachments.',
      synonyms: ['email', 'mail', 'google mail', 'inbox'],
      // 15,000 units, of which sending an email costs 100.
      limits: { perMinute: 150, source: 'https://developers.google.com/workspace/gmail/api/reference/quota' },
    },
    {
      id: 'drive',
      name: 'Google Drive',
      description: 'Files and folders.',
      synonyms: ['files', 'storage', 'upload', 'download', 'folder'],
      limits: { perMinute: 12_000, source: 'https://developers.google.com/workspace/drive/api/guides/limits' },
    },
    {
      id: 'calendar',
      name: 'Google Calendar',
      description: 'Events and calendars.',
      synonyms: ['event', 'events', 'meeting', 'appointment', 'schedule'],
      limits: { perMinute: 600, source: 'https://developers.google.com/workspace/calendar/api/guides/quota' },
    },
    {
      id: 'docs',
      name: 'Google Docs',
      description: 'Texts of documents.',
      synonyms: ['document', 'word', 'text', 'template'],
      limits: { perMinute: 60, source: 'https://developers.google.com/workspace/docs/api/limits' },
    },
  ],
  subscriptions: googleSubscriptions,
  operations: [
    ...googleSheetsOperations,
    ...gmailOperations,
    ...googleDriveOperations,
    ...googleCalendarOperations,
    ...googleDocsOperations,
  ],
};
