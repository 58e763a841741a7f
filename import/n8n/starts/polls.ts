import { asN8nObject, cutWellFormed, asN8nObjects, type N8nObject, type N8nNode } from '../file';
import { chosenListValue } from '../nodes/http';
import { isN8nExpression, escapeBraces } from '../n8n-expressions';
import { cronNodeCron } from './schedules';
import type { ConvertedTrigger } from './trigger';

/** A poll of a service in place of a trigger of n8n that asks for new items. */
interface PollSource {
  /** The service in messages. */
  name: string;
  connectorId: string;
  /** The operation of the connector, and how it finds new items: as the connector describes it. */
  operation: string;
  parameters: N8nObject;
  items: string;
  key: string;
  cursor?: string;
  /** Our names of fields that have other names in n8n, by the names in n8n. */
  names?: ReadonlyMap<string, string>;
  hint?: string;
}

/** A text that is written or chosen from a list. One with expressions is not known before a run. */
function literalChoice(given: unknown): string | undefined {
  const value = chosenListValue(given);
  return typeof value === 'string' && value.trim() !== '' && !isN8nExpression(value)
    ? escapeBraces(cutWellFormed(value, 2000))
    : typeof value === 'number'
      ? String(value)
      : undefined;
}

/** The name of a choice. */
function choiceName(given: unknown): string | undefined {
  const { mode, cachedResultName: name } = asN8nObject(given);
  return mode === 'list' && typeof name === 'string' && name !== ''
    ? escapeBraces(cutWellFormed(name, 2000))
    : literalChoice(given);
}

const isAnyEvent = (event: unknown, ...events: string[]): boolean => events.includes(String(event));

function pollGmail({ filters, simple }: N8nObject): PollSource {
  const { q, readStatus = 'unread', sender, labelIds } = asN8nObject(filters);
  const labels = Array.isArray(labelIds) ? labelIds.map(String).map(escapeBraces).slice(0, 20) : [];
  const words = [
    ...(labels.length > 0 ? [] : ['in:inbox']),
    ...(isAnyEvent(readStatus, 'unread', 'read') ? [`is:${String(readStatus)}`] : []),
    ...(literalChoice(sender) ? [`from:${literalChoice(sender)}`] : []),
    ...[literalChoice(q) ?? []].flat(),
    'after:{{ cursor ?? $floor($millis() / 1000) - 3600 }}',
  ];
  return {
    name: 'Gmail',
    connectorId: 'google',
    operation: 'gmail.search',
    parameters: { query: words.join(' '), ...(labels.length > 0 ? { labels } : {}), limit: 100 },
    items: 'input.body',
    key: 'item.id',
    cursor: '$max(input.body.timestamp) - 1',
    names:
      simple === false
        ? new Map()
        : new Map([
            ['From', 'from'],
            ['To', 'to'],
            ['Subject', 'subject'],
          ]),
    ...(simple === false ? { hint: 'Check what reads the mail: its fields have other names.' } : {}),
  };
}

function pollGoogleDrive({ triggerOn, event, folderToWatch }: N8nObject): PollSource | undefined {
  if (!isAnyEvent(triggerOn, 'specificFolder') || !isAnyEvent(event, 'fileCreated', 'folderCreated')) return undefined;
  const folder = literalChoice(folderToWatch);
  const type = event === 'folderCreated' ? { type: 'application/vnd.google-apps.folder' } : {};
  return {
    name: 'Google Drive',
    connectorId: 'google',
    operation: 'drive.search',
    parameters: { ...(folder === undefined ? {} : { folder }), ...type, createdAfter: '{{ cursor }}', limit: 1000 },
    items: 'input.body',
    key: 'item.id',
    cursor: '$sort(input.body.createdTime)[-1]',
    ...(folder === undefined ? { hint: 'Enter its folder.' } : {}),
  };
}

function pollGoogleSheets({ event = 'anyUpdate', documentId, sheetName }: N8nObject): PollSource | undefined {
  const [spreadsheet, sheet] = [literalChoice(documentId), choiceName(sheetName)];
  if (spreadsheet === undefined) return undefined;
  const isAdded = event === 'rowAdded';
  return {
    name: 'Google Sheets',
    connectorId: 'google',
    operation: 'sheets.read_rows',
    parameters: { spreadsheet, ...(sheet === undefined ? {} : { sheet }) },
    items: 'input.body',
    // There is no cursor, so the key includes the content: a changed row counts as a new item.
    key: isAdded ? 'item.row_number' : '$hash($string(item))',
    ...(sheet === undefined ? { hint: 'Enter the name of its sheet.' } : {}),
  };
}

function pollGoogleCalendar({ triggerOn, calendarId }: N8nObject): PollSource | undefined {
  if (!isAnyEvent(triggerOn, 'eventCreated', 'eventUpdated')) return undefined;
  const isCreated = triggerOn === 'eventCreated';
  const id = literalChoice(calendarId);
  return {
    name: 'Google Calendar',
    connectorId: 'google',
    operation: 'calendar.list_changed_events',
    parameters: {
      ...(id === undefined ? {} : { calendar: id }),
      since: '{{ cursor ?? $fromMillis($millis() - 3600000) }}',
      allPages: true,
    },
    items: isCreated
      ? '$filter(input.body, function($event) { $not(cursor) or $event.created >= cursor })'
      : '$filter(input.body, function($event) { $event.status != "cancelled" })',
    key: isCreated ? 'item.id' : 'item.id & " " & item.updated',
    cursor: '$fromMillis($millis() - 120000)',
  };
}

function pollAirtable({ baseId, tableId }: N8nObject): PollSource | undefined {
  const [base, table] = [literalChoice(baseId), literalChoice(tableId)];
  if (base === undefined || table === undefined) return undefined;
  return {
    name: 'Airtable',
    connectorId: 'airtable',
    operation: 'records.list',
    parameters: {
      base,
      table,
      formula: `{{ cursor ? "NOT(IS_BEFORE(CREATED_TIME(), '" & cursor & "'))" : null }}`,
      allPages: true,
    },
    items: 'input.body',
    key: 'item.id',
    cursor: '$sort(input.body.createdTime)[-1]',
    hint: 'It starts for new records, not for changed ones.',
  };
}

function pollNotion({ event = 'pageAddedToDatabase', databaseId }: N8nObject): PollSource | undefined {
  const database = literalChoice(databaseId);
  if (database === undefined) return undefined;
  const isAdded = event === 'pageAddedToDatabase';
  const time = isAdded ? 'created_time' : 'last_edited_time';
  return {
    name: 'Notion',
    connectorId: 'notion',
    operation: 'databases.query',
    parameters: {
      database,
      filter: `{{ cursor ? {"timestamp": "${time}", "${time}": {"on_or_after": cursor} } : null }}`,
      allPages: true,
    },
    items: 'input.body',
    key: isAdded ? 'item.id' : 'item.id & " " & item.last_edited_time',
    cursor: `$sort(input.body.${time})[-1]`,
    hint: 'Properties are as in Notion: n8n simplifies them.',
  };
}

const POLL_SOURCES: Readonly<Record<string, (parameters: N8nObject) => PollSource | undefined>> = {
  gmailTrigger: pollGmail,
  googleDriveTrigger: pollGoogleDrive,
  googleSheetsTrigger: pollGoogleSheets,
  googleCalendarTrigger: pollGoogleCalendar,
  airtableTrigger: pollAirtable,
  notionTrigger: pollNotion,
};

/** A poll of a service, which is disabled until it has an account; undefined: Weft has no such poll. */
export function convertServicePoll({ name, parameters }: N8nNode, short: string): ConvertedTrigger | undefined {
  const source = Object.hasOwn(POLL_SOURCES, short) ? POLL_SOURCES[short]?.(parameters) : undefined;
  if (!source) return undefined;
  const { connectorId, operation, items, key, cursor, hint, names = new Map<string, string>() } = source;
  const [cron] = asN8nObjects(asN8nObject(parameters['pollTimes'])['item']).map(cronNodeCron);
  const settings = {
    name: cutWellFormed(name.trim(), 200) || source.name,
    ...(cron === undefined || cron === '* * * * *' ? { intervalMs: 60_000 } : { cron }),
    node: { type: 'connector', config: { connectorId, operation, parameters: source.parameters } },
    items,
    key,
    ...(cursor === undefined ? {} : { cursor }),
    deliver: 'each' as const,
    language: 'jsonata' as const,
    first: 'skip' as const,
    enabled: false,
  };
  const message = ['Choose its account under Triggers, then enable it.', ...(hint === undefined ? [] : [hint])].join(
    ' ',
  );
  return { triggers: [{ kind: 'poll', settings }], isWhole: false, message, names };
}
