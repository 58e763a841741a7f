import { bag, cut, list, type Bag, type N8nNode } from '../file';
import { chosen } from '../nodes/http';
import { isExpression, plain } from '../text';
import { oldCronOf } from './schedules';
import type { ConvertedTrigger } from './trigger';

/** A poll of a service in place of a trigger of n8n that asks for new items. */
interface Source {
  /** The service in messages. */
  name: string;
  connectorId: string;
  /** The operation of the connector, and how it finds new items: as the connector describes it. */
  operation: string;
  parameters: Bag;
  items: string;
  key: string;
  cursor?: string;
  /** Names of fields that are others in n8n, by theirs. */
  names?: ReadonlyMap<string, string>;
  hint?: string;
}

/** A text that is written or chosen from a list. One with expressions is not known before a run. */
function textOf(given: unknown): string | undefined {
  const value = chosen(given);
  return typeof value === 'string' && value.trim() !== '' && !isExpression(value)
    ? plain(cut(value, 2000))
    : typeof value === 'number'
      ? String(value)
      : undefined;
}

/** The name of a choice. */
function nameOf(given: unknown): string | undefined {
  const { mode, cachedResultName: name } = bag(given);
  return mode === 'list' && typeof name === 'string' && name !== '' ? plain(cut(name, 2000)) : textOf(given);
}

const isOf = (event: unknown, ...events: string[]): boolean => events.includes(String(event));

function gmail({ filters, simple }: Bag): Source {
  const { q, readStatus = 'unread', sender, labelIds } = bag(filters);
  const labels = Array.isArray(labelIds) ? labelIds.map(String).map(plain).slice(0, 20) : [];
  const words = [
    ...(labels.length > 0 ? [] : ['in:inbox']),
    ...(isOf(readStatus, 'unread', 'read') ? [`is:${String(readStatus)}`] : []),
    ...(textOf(sender) ? [`from:${textOf(sender)}`] : []),
    ...[textOf(q) ?? []].flat(),
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

function drive({ triggerOn, event, folderToWatch }: Bag): Source | undefined {
  if (!isOf(triggerOn, 'specificFolder') || !isOf(event, 'fileCreated', 'folderCreated')) return undefined;
  const folder = textOf(folderToWatch);
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

function sheets({ event = 'anyUpdate', documentId, sheetName }: Bag): Source | undefined {
  const [spreadsheet, sheet] = [textOf(documentId), nameOf(sheetName)];
  if (spreadsheet === undefined) return undefined;
  const isAdded = event === 'rowAdded';
  return {
    name: 'Google Sheets',
    connectorId: 'google',
    operation: 'sheets.read_rows',
    parameters: { spreadsheet, ...(sheet === undefined ? {} : { sheet }) },
    items: 'input.body',
    // Without a cursor, a key that changes with the row makes it a new item.
    key: isAdded ? 'item.row_number' : '$hash($string(item))',
    ...(sheet === undefined ? { hint: 'Enter the name of its sheet.' } : {}),
  };
}

function calendar({ triggerOn, calendarId }: Bag): Source | undefined {
  if (!isOf(triggerOn, 'eventCreated', 'eventUpdated')) return undefined;
  const isCreated = triggerOn === 'eventCreated';
  const id = textOf(calendarId);
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

function airtable({ baseId, tableId }: Bag): Source | undefined {
  const [base, table] = [textOf(baseId), textOf(tableId)];
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

function notion({ event = 'pageAddedToDatabase', databaseId }: Bag): Source | undefined {
  const database = textOf(databaseId);
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

const SOURCES: Readonly<Record<string, (parameters: Bag) => Source | undefined>> = {
  gmailTrigger: gmail,
  googleDriveTrigger: drive,
  googleSheetsTrigger: sheets,
  googleCalendarTrigger: calendar,
  airtableTrigger: airtable,
  notionTrigger: notion,
};

/** A poll of a service, which is disabled until it has an account; undefined: Weft has no such poll. */
export function servicePoll({ name, parameters }: N8nNode, short: string): ConvertedTrigger | undefined {
  const source = Object.hasOwn(SOURCES, short) ? SOURCES[short]?.(parameters) : undefined;
  if (!source) return undefined;
  const { connectorId, operation, items, key, cursor, hint, names = new Map<string, string>() } = source;
  const [cron] = list(bag(parameters['pollTimes'])['item']).map(oldCronOf);
  const settings = {
    name: cut(name.trim(), 200) || source.name,
    ...(cron === undefined || cron === '* * * * *' ? { intervalMs: 60_000 } : { cron }),
    node: { type: 'connector', config: { connectorId, operation, parameters: source.parameters } },
    items,
    key,
    ...(cursor === undefined ? {} : { cursor }),
    deliver: 'each' as const,
    first: 'skip' as const,
    enabled: false,
  };
  const message = ['Choose its account under Triggers, then enable it.', ...(hint === undefined ? [] : [hint])].join(
    ' ',
  );
  return { triggers: [{ kind: 'poll', settings }], isWhole: false, message, names };
}
