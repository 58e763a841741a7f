import { isEmptyParameter } from '../conversion';
import { asN8nObject, type N8nObject } from '../file';
import { choiceName, isAnyEvent, literalChoice, type PollSource } from './poll-source';

/** Operations by the events of n8n, with the parameter of the time since when they ask. */
const DRIVE_EVENTS: Readonly<Record<string, { operation: string; since: string; time: string }>> = {
  fileCreated: { operation: 'drive.search', since: 'createdAfter', time: 'createdTime' },
  fileUpdated: { operation: 'drive.list_changed', since: 'changedAfter', time: 'modifiedTime' },
  watchFolderUpdated: { operation: 'drive.list_changed', since: 'changedAfter', time: 'modifiedTime' },
  folderCreated: { operation: 'drive.list_folders', since: 'createdAfter', time: 'createdTime' },
};

export function pollGoogleDrive({ triggerOn, event, folderToWatch, fileToWatch }: N8nObject): PollSource | undefined {
  const service = { name: 'Google Drive', connectorId: 'google' };
  if (isAnyEvent(triggerOn, 'specificFile')) {
    const file = literalChoice(fileToWatch);
    const key = "item.id & ' ' & item.modifiedTime";
    return file === undefined
      ? undefined
      : { ...service, operation: 'drive.get', parameters: { file }, items: '[input.body]', key };
  }
  const known =
    isAnyEvent(triggerOn, 'specificFolder') && typeof event === 'string' && Object.hasOwn(DRIVE_EVENTS, event);
  const found = known ? DRIVE_EVENTS[event] : undefined;
  if (!found) return undefined;
  const { operation, since, time } = found;
  const folder = literalChoice(folderToWatch);
  return {
    ...service,
    operation,
    parameters: { ...(folder === undefined ? {} : { folder }), [since]: '{{ cursor }}', limit: 1000 },
    items: 'input.body',
    key: time === 'modifiedTime' ? "item.id & ' ' & item.modifiedTime" : 'item.id',
    cursor: `$sort(input.body.${time})[-1]`,
    ...(folder === undefined
      ? isEmptyParameter(folderToWatch)
        ? { choices: [{ field: 'node.config.parameters.folder', sentence: 'Enter its folder.' }] }
        : { hint: 'Enter its folder.' }
      : {}),
  };
}

export function pollGoogleSheets({ event = 'anyUpdate', documentId, sheetName }: N8nObject): PollSource | undefined {
  const [spreadsheet, name] = [literalChoice(documentId), choiceName(sheetName)];
  const [, number] = /^(?:.*gid=)?(\d+)$/.exec(name ?? '') ?? [];
  const isNamed = asN8nObject(sheetName)['mode'] === 'name' || number === undefined;
  const sheet = isNamed ? name : `gid=${number}`;
  if (spreadsheet === undefined) return undefined;
  const isAdded = event === 'rowAdded';
  return {
    name: 'Google Sheets',
    connectorId: 'google',
    operation: isAdded ? 'sheets.read_rows' : 'sheets.read_row_versions',
    parameters: { spreadsheet, ...(sheet === undefined ? {} : { sheet }) },
    items: 'input.body',
    key: isAdded ? 'item.row_number' : "item.row_number & ' ' & item.checksum",
    ...(sheet === undefined
      ? isEmptyParameter(sheetName)
        ? { choices: [{ field: 'node.config.parameters.sheet', sentence: 'Enter the name of its sheet.' }] }
        : { hint: 'Enter the name of its sheet.' }
      : {}),
  };
}

const SINCE_LAST_POLL = '{{ cursor ?? $fromMillis($millis() - 3600000) }}';
const TIME_OF_POLL = '$fromMillis($millis() - 120000)';

/** The operations that find what happened to events. */
const CALENDAR_EVENTS: Readonly<Record<string, Pick<PollSource, 'operation' | 'parameters' | 'items' | 'key'>>> = {
  eventCreated: {
    operation: 'calendar.list_changed_events',
    parameters: { since: SINCE_LAST_POLL, allPages: true },
    items: '$filter(input.body, function($event) { $not(cursor) or $event.created >= cursor })',
    key: 'item.id',
  },
  eventUpdated: {
    operation: 'calendar.list_updated_events',
    parameters: { since: SINCE_LAST_POLL },
    items: 'input.body',
    key: "item.id & ' ' & item.updated",
  },
  eventCancelled: {
    operation: 'calendar.list_cancelled_events',
    parameters: { since: SINCE_LAST_POLL },
    items: 'input.body',
    key: "item.id & ' ' & item.updated",
  },
  eventStarted: {
    operation: 'calendar.list_started_events',
    parameters: { from: SINCE_LAST_POLL, to: '{{ $fromMillis($millis()) }}' },
    items: 'input.body',
    key: "item.id & ' ' & (item.start.dateTime ?? item.start.date)",
  },
  eventEnded: {
    operation: 'calendar.list_ended_events',
    parameters: { from: SINCE_LAST_POLL, to: '{{ $fromMillis($millis()) }}' },
    items: 'input.body',
    key: "item.id & ' ' & (item.end.dateTime ?? item.end.date)",
  },
};

export function pollGoogleCalendar({ triggerOn, calendarId }: N8nObject): PollSource | undefined {
  const isKnown = typeof triggerOn === 'string' && Object.hasOwn(CALENDAR_EVENTS, triggerOn);
  const found = isKnown ? CALENDAR_EVENTS[triggerOn] : undefined;
  if (!found) return undefined;
  const id = literalChoice(calendarId);
  return {
    name: 'Google Calendar',
    connectorId: 'google',
    ...found,
    parameters: { ...(id === undefined ? {} : { calendar: id }), ...found.parameters },
    cursor: TIME_OF_POLL,
  };
}
