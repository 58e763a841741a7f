import { fixedChoices, timeZoneChoices } from '../../fixed-choices';
import type { ColumnPaths, ConnectorChoiceSource } from '../../choices';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { CALENDAR_API, calendarEventPath } from './calendar-parts';
import { DRIVE_FOLDER_TYPE } from './drive-parts';
import { gmailChoices } from './gmail-choices';

const sheetColumn: ColumnPaths = { type: '', types: {} };
const named = { search: 'name', value: 'id', label: ['name'] } as const;

// https://developers.google.com/workspace/drive/api/guides/mime-types
const DRIVE_FILE_TYPES = {
  'application/vnd.google-apps.document': 'Google Docs',
  'application/vnd.google-apps.spreadsheet': 'Google Sheets',
  'application/vnd.google-apps.presentation': 'Google Slides',
  'application/vnd.google-apps.form': 'Google Forms',
  [DRIVE_FOLDER_TYPE]: 'Folder',
  'application/pdf': 'PDF',
  'text/plain': 'Text',
  'text/csv': 'CSV',
  'application/json': 'JSON',
  'application/zip': 'ZIP',
  'image/jpeg': 'JPEG picture',
  'image/png': 'PNG picture',
  'audio/mpeg': 'MP3 audio',
  'video/mp4': 'MP4 video',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel workbook',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint presentation',
};

/** What the parameters of Google's services are picked from. */
export const googleChoices: Record<string, ConnectorChoiceSource> = {
  spreadsheets: { operation: 'sheets.list_spreadsheets', parameters: { limit: 1000 }, ...named },
  sheets: {
    operation: 'sheets.list_sheets',
    items: 'sheets',
    parametersFrom: { spreadsheet: 'spreadsheet' },
    value: 'properties.title',
    label: ['properties.title'],
  },
  columns: {
    operation: 'sheets.list_columns',
    parametersFrom: { spreadsheet: 'spreadsheet', sheet: 'sheet', headerRow: 'headerRow?' },
    value: 'name',
    label: ['name'],
    hint: 'column',
    column: sheetColumn,
  },
  files: {
    operation: 'drive.search',
    parameters: { limit: 1000, query: `mimeType != '${DRIVE_FOLDER_TYPE}'`, orderBy: 'modifiedTime desc' },
    ...named,
    hint: 'mimeType',
  },
  filesAndFolders: {
    operation: 'drive.search',
    parameters: { limit: 1000, orderBy: 'modifiedTime desc' },
    ...named,
    hint: 'mimeType',
  },
  folders: {
    operation: 'drive.list_folders',
    parameters: { limit: 1000 },
    first: [{ value: 'root', label: 'My Drive', hint: 'root' }],
    ...named,
  },
  documents: {
    operation: 'drive.search',
    parameters: { limit: 1000, type: 'application/vnd.google-apps.document', orderBy: 'modifiedTime desc' },
    ...named,
  },
  permissions: {
    operation: 'drive.list_permissions',
    items: 'permissions',
    parametersFrom: { file: 'file' },
    value: 'id',
    label: ['displayName', 'emailAddress', 'domain', 'type'],
    hint: 'role',
  },
  calendars: {
    operation: 'calendar.list_calendars',
    first: [{ value: 'primary', label: 'Main calendar', hint: 'primary' }],
    value: 'id',
    label: ['summaryOverride', 'summary'],
    hint: 'id',
  },
  // Events that have not ended, in the order of their beginning.
  events: {
    dependsOn: ['calendar?'],
    searches: true,
    *steps({ values: { calendar = 'primary' }, search, page }) {
      const query = {
        timeMin: new Date().toISOString(),
        q: search || undefined,
        maxResults: 100,
        singleEvents: true,
        orderBy: 'startTime',
        pageToken: page ?? undefined,
      };
      const { body } = yield { api: CALENDAR_API, path: calendarEventPath(calendar), query };
      const next = getAtPath(body, 'nextPageToken');
      return {
        items: (getAtPath(body, 'items') ?? []) as unknown[],
        next: typeof next === 'string' ? next : null,
      };
    },
    value: 'id',
    label: ['summary'],
    hint: 'start.dateTime',
  },
  ...gmailChoices,
  labels: { operation: 'gmail.list_labels', value: 'id', label: ['name'] },
  timeZones: timeZoneChoices,
  fileTypes: fixedChoices(DRIVE_FILE_TYPES),
  senders: { operation: 'gmail.list_senders', value: 'sendAsEmail', label: ['sendAsEmail'], hint: 'displayName' },
};
