import { randomUUID } from 'node:crypto';
import { stepped, type ConnectorOperation, type Paging } from '../../operation';
import { choice, count, flag, text, word, words } from '../../parameters';

// https://developers.google.com/workspace/calendar/api/v3/reference
const api = 'calendar';
const paging: Paging = { kind: 'token', at: 'nextPageToken', query: 'pageToken' };
const calendarId = word('Calendar')
  .default('primary')
  .describe('Its id, e.g. the address of a shared calendar; primary: the own one');
const event = word('Event').describe('Id of the event');
const when =
  'ISO 8601 with an offset, e.g. 2026-03-01T09:00:00+01:00; a day alone, e.g. 2026-03-01, for all-day events';
const notify = choice('Send emails', ['all', 'externalOnly', 'none'])
  .optional()
  .describe('To whom Google sends invitations; default none');
const details = {
  description: text('Description', 8192).optional().describe('Shown with the event'),
  location: word('Location').optional().describe('Place or address'),
  attendees: words('Attendees').optional().describe('Email addresses'),
  timeZone: word('Time zone', 100).optional().describe('e.g. Europe/Berlin, for times without an offset'),
  hasMeet: flag('Google Meet').optional().describe('Adds a video conference'),
  notify,
};

// https://developers.google.com/workspace/calendar/api/guides/quota
const limits = '600 calls a minute for a user.';
const one = {
  id: '7cbh8rpc10lrc0ckih9tafss99',
  status: 'confirmed',
  summary: 'Planning',
  start: { dateTime: '2026-03-01T09:00:00+01:00' },
  end: { dateTime: '2026-03-01T10:00:00+01:00' },
  attendees: [{ email: 'ada@example.com', responseStatus: 'needsAction' }],
  created: '2026-01-31T08:15:30.000Z',
  htmlLink: 'https://www.google.com/calendar/event?eid=N2Ni…',
};

/** A day, or a time. */
const moment = (value: string, timeZone: string | undefined) =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) ? { date: value } : { dateTime: value, ...(timeZone ? { timeZone } : {}) };

interface Details {
  title?: string | undefined;
  start?: string | undefined;
  end?: string | undefined;
  description?: string | undefined;
  location?: string | undefined;
  attendees?: string[] | undefined;
  timeZone?: string | undefined;
  hasMeet?: boolean | undefined;
}

const eventOf = ({ title, start, end, description, location, attendees, timeZone, hasMeet }: Details) => ({
  summary: title,
  description,
  location,
  start: start === undefined ? undefined : moment(start, timeZone),
  end: end === undefined ? undefined : moment(end, timeZone),
  attendees: attendees?.map((email) => ({ email })),
  conferenceData: hasMeet
    ? { createRequest: { requestId: randomUUID(), conferenceSolutionKey: { type: 'hangoutsMeet' } } }
    : undefined,
});

const pathOf = (calendar: string, id = '') =>
  `/calendars/${encodeURIComponent(calendar)}/events${id && `/${encodeURIComponent(id)}`}`;
const asked = (hasMeet: boolean | undefined, sendUpdates: string | undefined) => ({
  sendUpdates,
  conferenceDataVersion: hasMeet ? 1 : undefined,
});

export const calendar: ConnectorOperation[] = [
  {
    id: 'calendar.list_events',
    title: 'List events',
    help: 'In the order of their beginning; repeated events one by one.',
    limits,
    method: 'GET',
    api,
    path: '/calendars/{calendar}/events',
    inPath: { calendar: calendarId },
    inQuery: {
      from: word('From', 64).optional().describe('Events that end after this time, ISO 8601 with an offset'),
      to: word('To', 64).optional().describe('Events that begin before this time, ISO 8601 with an offset'),
      text: word('Text').optional().describe('Words in title, description, place or attendees'),
      limit: count('Items a page', 2500).optional().describe('At most 2,500; default 250'),
    },
    names: { from: 'timeMin', to: 'timeMax', text: 'q', limit: 'maxResults' },
    query: { singleEvents: 'true', orderBy: 'startTime' },
    items: 'items',
    paging,
    example: { kind: 'calendar#events', items: [one] },
  },
  {
    id: 'calendar.list_changed_events',
    title: 'List changed events',
    help: 'Events that were created, changed or cancelled since a time.',
    limits,
    method: 'GET',
    api,
    path: '/calendars/{calendar}/events',
    inPath: { calendar: calendarId },
    inQuery: {
      since: word('Since', 64).optional().describe('ISO 8601 with an offset, within the last weeks'),
      limit: count('Items a page', 2500).optional().describe('At most 2,500; default 250'),
    },
    names: { since: 'updatedMin', limit: 'maxResults' },
    query: { orderBy: 'updated' },
    items: 'items',
    paging,
    example: { kind: 'calendar#events', items: [one] },
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
  {
    id: 'calendar.get_event',
    title: 'Get an event',
    help: 'One event by its id.',
    limits,
    method: 'GET',
    api,
    path: '/calendars/{calendar}/events/{event}',
    inPath: { calendar: calendarId, event },
    example: one,
  },
  stepped({
    id: 'calendar.create_event',
    title: 'Create an event',
    help: 'With a time or for whole days, with attendees and a video conference.',
    limits,
    parameters: {
      calendar: calendarId,
      title: word('Title').describe('Title of the event'),
      start: word('Start', 64).describe(when),
      end: word('End', 64).describe(`${when}; the day after the last one`),
      ...details,
    },
    *steps({ calendar: of, notify: sendUpdates, ...given }) {
      const body = { as: 'json', value: eventOf(given) } as const;
      return (yield { method: 'POST', api, path: pathOf(of), query: asked(given.hasMeet, sendUpdates), body }).body;
    },
    example: one,
  }),
  stepped({
    id: 'calendar.update_event',
    title: 'Update an event',
    help: 'Changes what is given; the rest stays.',
    limits,
    parameters: {
      calendar: calendarId,
      event,
      title: word('Title').optional().describe('Title of the event'),
      start: word('Start', 64).optional().describe(when),
      end: word('End', 64).optional().describe(when),
      ...details,
    },
    *steps({ calendar: of, event: id, notify: sendUpdates, ...given }) {
      const body = { as: 'json', value: eventOf(given) } as const;
      return (yield { method: 'PATCH', api, path: pathOf(of, id), query: asked(given.hasMeet, sendUpdates), body })
        .body;
    },
    example: one,
  }),
  {
    id: 'calendar.delete_event',
    title: 'Delete an event',
    help: 'Cancels it for all attendees.',
    limits,
    method: 'DELETE',
    api,
    path: '/calendars/{calendar}/events/{event}',
    inPath: { calendar: calendarId, event },
    inQuery: { notify },
    names: { notify: 'sendUpdates' },
    example: null,
  },
  {
    id: 'calendar.quick_add',
    title: 'Create an event from a text',
    help: 'Google reads title and time from a sentence.',
    limits,
    method: 'POST',
    api,
    path: '/calendars/{calendar}/events/quickAdd',
    inPath: { calendar: calendarId },
    inQuery: { text: word('Text').describe('e.g. Lunch with Ada on Friday at 12') },
    example: one,
  },
  stepped({
    id: 'calendar.find_busy_times',
    title: 'Find busy times',
    help: 'When calendars have events, without what they are.',
    limits,
    parameters: {
      calendars: words('Calendars').describe('Ids of calendars, e.g. email addresses of colleagues'),
      from: word('From', 64).describe('ISO 8601 with an offset'),
      to: word('To', 64).describe('ISO 8601 with an offset'),
    },
    *steps({ calendars, from, to }) {
      const value = { timeMin: from, timeMax: to, items: calendars.map((id) => ({ id })) };
      return (yield { method: 'POST', api, path: '/freeBusy', body: { as: 'json', value } }).body;
    },
    example: {
      calendars: { 'ada@example.com': { busy: [{ start: '2026-03-01T08:00:00Z', end: '2026-03-01T09:00:00Z' }] } },
    },
  }),
  {
    id: 'calendar.list_calendars',
    title: 'List calendars',
    help: 'Calendars that the account shows, with their ids.',
    limits,
    method: 'GET',
    api,
    path: '/users/me/calendarList',
    items: 'items',
    paging,
    example: { items: [{ id: 'me@example.com', summary: 'Me', timeZone: 'Europe/Berlin', primary: true }] },
  },
];
