import {
  defineSteppedOperation,
  type ApiRequest,
  type ApiResponse,
  type OperationDefinition,
  type PollPreset,
} from '../../operation';
import { valueLineParameter } from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import {
  CALENDAR_API,
  calendarEventExample,
  calendarEventPath,
  calendarRateLimit,
  googleCalendarId,
} from './calendar-parts';

/** The events of all pages. */
function* collectCalendarEvents(
  calendar: string,
  query: Record<string, unknown>,
): Generator<ApiRequest, unknown[], ApiResponse> {
  const all: unknown[] = [];
  let pageToken: unknown;
  do {
    const { body } = yield {
      api: CALENDAR_API,
      path: calendarEventPath(calendar),
      query: { ...query, maxResults: 2500, pageToken },
    };
    all.push(...((getAtPath(body, 'items') ?? []) as unknown[]));
    pageToken = getAtPath(body, 'nextPageToken');
  } while (typeof pageToken === 'string');
  return all;
}

const toMs = (value: unknown): number => Date.parse(String(value));

/** A point in time of an event: its time, or the beginning of its day in UTC. */
const eventMs = (event: unknown, side: 'start' | 'end'): number =>
  toMs(getAtPath(event, `${side}.dateTime`) ?? getAtPath(event, `${side}.date`));

/** What the polls below remember: the time of the last answer, with two minutes for what arrives late. */
const CURSOR_OF_CHANGES = '$fromMillis($millis() - 120000)';
const SINCE_LAST_POLL = '{{ cursor ?? $fromMillis($millis() - 3600000) }}';

const sinceParameter = valueLineParameter('Since', 'quantity', 64).describe(
  'ISO 8601 with an offset, within the last weeks',
);

/** Google sets `updated` of a new event some moments after `created`. */
const MAX_CREATION_MS = 5000;

const changeKinds = [
  {
    id: 'calendar.list_updated_events',
    title: 'List updated events',
    help: 'Events that were changed since a time after they had been created, answers of guests among them.',
    isMeant: (event: unknown) =>
      getAtPath(event, 'status') !== 'cancelled' &&
      toMs(getAtPath(event, 'updated')) - toMs(getAtPath(event, 'created')) > MAX_CREATION_MS,
    example: { ...calendarEventExample, updated: '2026-02-02T10:00:00.000Z' },
    poll: { title: 'Changed event', words: 'google calendar trigger event updated moved' },
  },
  {
    id: 'calendar.list_cancelled_events',
    title: 'List cancelled events',
    help: 'Events that were cancelled or deleted since a time.',
    isMeant: (event: unknown) => getAtPath(event, 'status') === 'cancelled',
    example: { ...calendarEventExample, status: 'cancelled', updated: '2026-02-02T10:00:00.000Z' },
    poll: { title: 'Cancelled event', words: 'google calendar trigger event deleted removed' },
  },
];

const timeKinds = [
  {
    id: 'calendar.list_started_events',
    title: 'List events that begin',
    help: 'Events whose beginning lies between two times.',
    side: 'start' as const,
    poll: { title: 'Event begins', words: 'google calendar trigger event started reminder before meeting' },
  },
  {
    id: 'calendar.list_ended_events',
    title: 'List events that end',
    help: 'Events whose end lies between two times.',
    side: 'end' as const,
    poll: { title: 'Event ends', words: 'google calendar trigger event ended over after meeting' },
  },
];

/** Operations that find what has happened to events, as sources of polls. */
export const calendarChangeOperations: OperationDefinition[] = [
  ...changeKinds.map(({ isMeant, example, poll, ...facts }) =>
    defineSteppedOperation({
      ...facts,
      limits: calendarRateLimit,
      parameters: { calendar: googleCalendarId, since: sinceParameter },
      *steps({ calendar, since }) {
        const query = { updatedMin: since, showDeleted: true, orderBy: 'updated' };
        return (yield* collectCalendarEvents(calendar, query)).filter(isMeant);
      },
      example: [example],
      poll: {
        ...poll,
        parameters: { since: SINCE_LAST_POLL },
        items: 'input.body',
        key: "item.id & ' ' & item.updated",
        cursor: CURSOR_OF_CHANGES,
      } satisfies PollPreset,
    }),
  ),
  ...timeKinds.map(({ side, poll, ...facts }) =>
    defineSteppedOperation({
      ...facts,
      limits: calendarRateLimit,
      parameters: {
        calendar: googleCalendarId,
        from: valueLineParameter('From', 'quantity', 64).describe('ISO 8601 with an offset'),
        to: valueLineParameter('To', 'quantity', 64).describe(
          'ISO 8601 with an offset; a later time finds events before they happen',
        ),
      },
      *steps({ calendar, from, to }) {
        const query = { timeMin: from, timeMax: to, singleEvents: true, orderBy: 'startTime' };
        const events = yield* collectCalendarEvents(calendar, query);
        return events.filter((event) => eventMs(event, side) >= toMs(from) && eventMs(event, side) <= toMs(to));
      },
      example: [calendarEventExample],
      poll: {
        ...poll,
        parameters: { from: SINCE_LAST_POLL, to: '{{ $fromMillis($millis()) }}' },
        items: 'input.body',
        key: `item.id & ' ' & (item.${side}.dateTime ?? item.${side}.date)`,
        cursor: CURSOR_OF_CHANGES,
      } satisfies PollPreset,
    }),
  ),
];
