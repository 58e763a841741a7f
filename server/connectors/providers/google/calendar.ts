import { randomUUID } from 'node:crypto';
import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import {
  booleanParameter,
  choiceParameter,
  contentLineParameter,
  countParameter,
  listedLineListParameter,
  listedLineParameter,
  multilineParameter,
  valueLineListParameter,
  valueLineParameter,
} from '../../parameters';
import { calendarChangeOperations } from './calendar-changes';
import {
  CALENDAR_API,
  calendarEventExample,
  calendarEventPath,
  calendarRateLimit,
  calendarTokenPaging,
  googleCalendarId,
} from './calendar-parts';

const calendarEventId = listedLineParameter('Event', 'events', ['calendar?']).describe('Id of the event');
const EVENT_TIME_HINT =
  'ISO 8601 with an offset, e.g. 2026-03-01T09:00:00+01:00; a day alone, e.g. 2026-03-01, for all-day events';
const sendUpdatesChoice = choiceParameter('Send emails', ['all', 'externalOnly', 'none'])
  .optional()
  .describe('To whom Google sends invitations; default none');
const eventDetailParameters = {
  description: multilineParameter('Description', 8192).optional().describe('Shown with the event'),
  location: contentLineParameter('Location').optional().describe('Place or address'),
  attendees: valueLineListParameter('Attendees', 'address').optional().describe('Email addresses'),
  timeZone: listedLineParameter('Time zone', 'timeZones', [], 100)
    .optional()
    .describe('e.g. Europe/Berlin, for times without an offset'),
  hasMeet: booleanParameter('Google Meet').optional().describe('Adds a video conference'),
  notify: sendUpdatesChoice,
};

/** A day alone makes an all-day event, anything else is a point in time. */
const toDayOrTime = (value: string, timeZone: string | undefined) =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) ? { date: value } : { dateTime: value, ...(timeZone ? { timeZone } : {}) };

interface EventDetails {
  title?: string | undefined;
  start?: string | undefined;
  end?: string | undefined;
  description?: string | undefined;
  location?: string | undefined;
  attendees?: string[] | undefined;
  timeZone?: string | undefined;
  hasMeet?: boolean | undefined;
}

const toCalendarEvent = ({ title, start, end, description, location, attendees, timeZone, hasMeet }: EventDetails) => ({
  summary: title,
  description,
  location,
  start: start === undefined ? undefined : toDayOrTime(start, timeZone),
  end: end === undefined ? undefined : toDayOrTime(end, timeZone),
  attendees: attendees?.map((email) => ({ email })),
  conferenceData: hasMeet
    ? { createRequest: { requestId: randomUUID(), conferenceSolutionKey: { type: 'hangoutsMeet' } } }
    : undefined,
});

const eventQuery = (hasMeet: boolean | undefined, sendUpdates: string | undefined) => ({
  sendUpdates,
  conferenceDataVersion: hasMeet ? 1 : undefined,
});

export const googleCalendarOperations: OperationDefinition[] = [
  {
    id: 'calendar.list_events',
    title: 'List events',
    help: 'In the order of their beginning; repeated events one by one.',
    limits: calendarRateLimit,
    method: 'GET',
    api: CALENDAR_API,
    path: '/calendars/{calendar}/events',
    inPath: { calendar: googleCalendarId },
    inQuery: {
      from: valueLineParameter('From', 'quantity', 64)
        .optional()
        .describe('Events that end after this time, ISO 8601 with an offset'),
      to: valueLineParameter('To', 'quantity', 64)
        .optional()
        .describe('Events that begin before this time, ISO 8601 with an offset'),
      text: valueLineParameter('Text', 'search').optional().describe('Words in title, description, place or attendees'),
      limit: countParameter('Items a page', 2500).optional().describe('At most 2,500; default 250'),
    },
    names: { from: 'timeMin', to: 'timeMax', text: 'q', limit: 'maxResults' },
    query: { singleEvents: 'true', orderBy: 'startTime' },
    items: 'items',
    paging: calendarTokenPaging,
    example: { kind: 'calendar#events', items: [calendarEventExample] },
  },
  {
    id: 'calendar.list_changed_events',
    title: 'List changed events',
    help: 'Events that were created, changed or cancelled since a time.',
    limits: calendarRateLimit,
    method: 'GET',
    api: CALENDAR_API,
    path: '/calendars/{calendar}/events',
    inPath: { calendar: googleCalendarId },
    inQuery: {
      since: valueLineParameter('Since', 'quantity', 64)
        .optional()
        .describe('ISO 8601 with an offset, within the last weeks'),
      limit: countParameter('Items a page', 2500).optional().describe('At most 2,500; default 250'),
    },
    names: { since: 'updatedMin', limit: 'maxResults' },
    query: { orderBy: 'updated' },
    items: 'items',
    paging: calendarTokenPaging,
    example: { kind: 'calendar#events', items: [calendarEventExample] },
    poll: {
      title: 'New event',
      words: 'google calendar trigger event created meeting appointment',
      // Changes of older events come as well: only those created since the last poll are new.
      parameters: { since: '{{ cursor ?? $fromMillis($millis() - 3600000) }}', allPages: true },
      items: '$filter(input.body, function($event) { $not(cursor) or $event.created >= cursor })',
      key: 'item.id',
      cursor: '$fromMillis($millis() - 120000)',
    },
  },
  ...calendarChangeOperations,
  {
    id: 'calendar.get_event',
    title: 'Get an event',
    help: 'One event by its id.',
    limits: calendarRateLimit,
    method: 'GET',
    api: CALENDAR_API,
    path: '/calendars/{calendar}/events/{event}',
    inPath: { calendar: googleCalendarId, event: calendarEventId },
    example: calendarEventExample,
  },
  defineSteppedOperation({
    id: 'calendar.create_event',
    title: 'Create an event',
    help: 'With a time or for whole days, with attendees and a video conference.',
    limits: calendarRateLimit,
    parameters: {
      calendar: googleCalendarId,
      title: contentLineParameter('Title').describe('Title of the event'),
      start: valueLineParameter('Start', 'quantity', 64).describe(EVENT_TIME_HINT),
      end: valueLineParameter('End', 'quantity', 64).describe(`${EVENT_TIME_HINT}; the day after the last one`),
      ...eventDetailParameters,
    },
    *steps({ calendar: of, notify: sendUpdates, ...given }) {
      const body = { as: 'json', value: toCalendarEvent(given) } as const;
      return (yield {
        method: 'POST',
        api: CALENDAR_API,
        path: calendarEventPath(of),
        query: eventQuery(given.hasMeet, sendUpdates),
        body,
      }).body;
    },
    example: calendarEventExample,
  }),
  defineSteppedOperation({
    id: 'calendar.update_event',
    title: 'Update an event',
    help: 'Changes what is given; the rest stays.',
    limits: calendarRateLimit,
    parameters: {
      calendar: googleCalendarId,
      event: calendarEventId,
      title: contentLineParameter('Title').optional().describe('Title of the event'),
      start: valueLineParameter('Start', 'quantity', 64).optional().describe(EVENT_TIME_HINT),
      end: valueLineParameter('End', 'quantity', 64).optional().describe(EVENT_TIME_HINT),
      ...eventDetailParameters,
    },
    *steps({ calendar: of, event: id, notify: sendUpdates, ...given }) {
      const body = { as: 'json', value: toCalendarEvent(given) } as const;
      return (yield {
        method: 'PATCH',
        api: CALENDAR_API,
        path: calendarEventPath(of, id),
        query: eventQuery(given.hasMeet, sendUpdates),
        body,
      }).body;
    },
    example: calendarEventExample,
  }),
  {
    id: 'calendar.delete_event',
    title: 'Delete an event',
    help: 'Cancels it for all attendees.',
    limits: calendarRateLimit,
    method: 'DELETE',
    api: CALENDAR_API,
    path: '/calendars/{calendar}/events/{event}',
    inPath: { calendar: googleCalendarId, event: calendarEventId },
    inQuery: { notify: sendUpdatesChoice },
    names: { notify: 'sendUpdates' },
    example: null,
  },
  {
    id: 'calendar.quick_add',
    title: 'Create an event from a text',
    help: 'Google reads title and time from a sentence.',
    limits: calendarRateLimit,
    method: 'POST',
    api: CALENDAR_API,
    path: '/calendars/{calendar}/events/quickAdd',
    inPath: { calendar: googleCalendarId },
    inQuery: { text: contentLineParameter('Text').describe('e.g. Lunch with Ada on Friday at 12') },
    example: calendarEventExample,
  },
  defineSteppedOperation({
    id: 'calendar.find_busy_times',
    title: 'Find busy times',
    help: 'When calendars have events, without what they are.',
    limits: calendarRateLimit,
    parameters: {
      calendars: listedLineListParameter('Calendars', 'calendars').describe(
        'Ids of calendars, e.g. email addresses of colleagues',
      ),
      from: valueLineParameter('From', 'quantity', 64).describe('ISO 8601 with an offset'),
      to: valueLineParameter('To', 'quantity', 64).describe('ISO 8601 with an offset'),
    },
    *steps({ calendars, from, to }) {
      const value = { timeMin: from, timeMax: to, items: calendars.map((id) => ({ id })) };
      return (yield { method: 'POST', api: CALENDAR_API, path: '/freeBusy', body: { as: 'json', value } }).body;
    },
    example: {
      calendars: { 'ada@example.com': { busy: [{ start: '2026-03-01T08:00:00Z', end: '2026-03-01T09:00:00Z' }] } },
    },
  }),
  {
    id: 'calendar.list_calendars',
    title: 'List calendars',
    help: 'Calendars that the account shows, with their ids.',
    limits: calendarRateLimit,
    method: 'GET',
    api: CALENDAR_API,
    path: '/users/me/calendarList',
    items: 'items',
    paging: calendarTokenPaging,
    example: { items: [{ id: 'me@example.com', summary: 'Me', timeZone: 'Europe/Berlin', primary: true }] },
  },
];
