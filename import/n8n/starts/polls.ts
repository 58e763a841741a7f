import { isEmptyParameter } from '../conversion';
import { asN8nObject, cutWellFormed, asN8nObjects, type N8nObject, type N8nNode } from '../file';
import { escapeBraces } from '../n8n-expressions';
import { pollGoogleCalendar, pollGoogleDrive, pollGoogleSheets } from './polls-google';
import { pollMicrosoftOneDrive, pollMicrosoftOutlook, pollMicrosoftTeams } from './polls-microsoft';
import { choiceName, isAnyEvent, literalChoice, type PollSource } from './poll-source';
import { cronNodeCron } from './schedules';
import type { ConvertedTrigger } from './trigger';

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
  microsoftOutlookTrigger: pollMicrosoftOutlook,
  microsoftOneDriveTrigger: pollMicrosoftOneDrive,
  microsoftTeamsTrigger: pollMicrosoftTeams,
  airtableTrigger: pollAirtable,
  notionTrigger: pollNotion,
};

/** What values that were picked in n8n were called, by the paths of the parameters that have them. */
function pickedLabels(given: N8nObject, parameters: N8nObject): { labels?: Record<string, string> } {
  const names = new Map(
    Object.values(given).flatMap((choice): [string, string][] => {
      const [value, name] = [literalChoice(choice), choiceName(choice)];
      return value === undefined || name === undefined || name === value ? [] : [[value, name]];
    }),
  );
  const found = Object.entries(parameters).flatMap(([parameter, value]): [string, string][] => {
    const name = typeof value === 'string' ? names.get(value) : undefined;
    return name === undefined ? [] : [[`parameters.${parameter}`, cutWellFormed(name, 200)]];
  });
  return found.length > 0 ? { labels: Object.fromEntries(found) } : {};
}

/** A poll of a service, which is disabled until it has an account; undefined: Weft has no such poll. */
export function convertServicePoll({ name, parameters }: N8nNode, short: string): ConvertedTrigger | undefined {
  const source = Object.hasOwn(POLL_SOURCES, short) ? POLL_SOURCES[short]?.(parameters) : undefined;
  if (!source) return undefined;
  const { connectorId, operation, items, key, cursor, hint, choices = [], names = new Map<string, string>() } = source;
  const [cron] = asN8nObjects(asN8nObject(parameters['pollTimes'])['item']).map(cronNodeCron);
  const settings = {
    name: cutWellFormed(name.trim(), 200) || source.name,
    ...(cron === undefined || cron === '* * * * *' ? { intervalMs: 60_000 } : { cron }),
    node: {
      type: 'connector',
      config: { connectorId, operation, parameters: source.parameters },
      ...pickedLabels(parameters, source.parameters),
    },
    items,
    key,
    ...(cursor === undefined ? {} : { cursor }),
    deliver: 'each' as const,
    language: 'jsonata' as const,
    first: 'skip' as const,
    enabled: false,
  };
  const sentences = [...choices.map(({ sentence }) => sentence), ...(hint === undefined ? [] : [hint])];
  const message = ['Choose its account under Triggers, then enable it.', ...sentences].join(' ');
  return { triggers: [{ kind: 'poll', settings }], isWhole: false, message, choices, names };
}

/** What says which source a poll asks, without which n8n does not ask either. */
const SOURCE_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  googleSheetsTrigger: ['documentId'],
  googleDriveTrigger: ['triggerOn', 'fileToWatch'],
  airtableTrigger: ['baseId', 'tableId'],
  notionTrigger: ['databaseId'],
};

/** Whether the file does not say which source a trigger asks. A folder of Google Drive is watched for what is in it. */
export const lacksPollSource = ({ parameters }: N8nNode, short: string): boolean =>
  Object.hasOwn(SOURCE_PARAMETERS, short) &&
  (SOURCE_PARAMETERS[short] ?? []).some(
    (name) =>
      isEmptyParameter(parameters[name]) && (name !== 'fileToWatch' || parameters['triggerOn'] === 'specificFile'),
  );
