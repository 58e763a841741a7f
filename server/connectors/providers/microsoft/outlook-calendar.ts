import { NodeFailure } from '@/server/platform/errors/node-failure';
import { defineSteppedOperation, type ApiRequestBody, type OperationDefinition } from '../../operation';
import {
  booleanParameter,
  choiceParameter,
  contentLineParameter,
  countParameter,
  listedLineListParameter,
  listedLineParameter,
  multilineParameter,
  valueLineParameter,
} from '../../parameters';
import {
  collectGraphItems,
  encodePathPart,
  graphFilterParameter,
  graphLimitParameter,
  graphODataNames,
  graphPageSizeParameter,
  microsoftGraphPaging,
  OUTLOOK_RATE_LIMIT,
  SINCE_LAST_POLL,
} from './graph-parts';
import { outlookContentParameters, toGraphBody } from './outlook-mail';

// https://learn.microsoft.com/graph/api/resources/event
const outlookCalendarId = listedLineParameter('Calendar', 'calendars', [], 2000)
  .optional()
  .describe('Id of the calendar; empty: the main one of the account');
const outlookEventId = listedLineParameter('Event', 'events', [], 2000).describe('Id of the event');
const EVENT_TIME_HINT =
  'e.g. 2026-03-01T09:00:00, in the time zone below; with an offset, the time zone does not count';
const eventDetails = {
  ...outlookContentParameters,
  location: contentLineParameter('Location').optional().describe('Place or address'),
  attendees: listedLineListParameter('Attendees', 'emailAddresses').optional().describe('Email addresses'),
  timeZone: listedLineParameter('Time zone', 'timeZones', [], 100)
    .optional()
    .describe('e.g. Europe/Berlin; default UTC'),
  isAllDay: booleanParameter('Whole days').optional().describe('Start and end are midnights'),
  hasMeeting: booleanParameter('Teams meeting').optional().describe('Adds a video conference'),
  reminderMinutes: countParameter('Reminder', 40_320).optional().describe('So many minutes before it begins'),
};
const outlookEventExample = {
  id: 'AAMkAGIAAAoZDOFAAA=',
  subject: 'Planning',
  createdDateTime: '2026-01-31T08:15:30Z',
  lastModifiedDateTime: '2026-02-02T10:00:00Z',
  start: { dateTime: '2026-03-01T08:00:00.0000000', timeZone: 'UTC' },
  end: { dateTime: '2026-03-01T09:00:00.0000000', timeZone: 'UTC' },
  attendees: [{ type: 'required', emailAddress: { address: 'ada@example.com' } }],
  webLink: 'https://outlook.office365.com/owa/?itemid=AAMk…',
};

/** A time of Graph has no offset: one with an offset is written in UTC. */
const toGraphTime = (value: string | undefined, timeZone = 'UTC'): object | undefined => {
  if (value === undefined) return undefined;
  const hasOffset = /(z|[+-]\d{2}:?\d{2})$/i.test(value) && value.includes('T') && !Number.isNaN(Date.parse(value));
  return hasOffset
    ? { dateTime: new Date(value).toISOString().slice(0, 19), timeZone: 'UTC' }
    : { dateTime: value, timeZone };
};

interface EventDetails {
  title?: string | undefined;
  start?: string | undefined;
  end?: string | undefined;
  text?: string | undefined;
  html?: string | undefined;
  location?: string | undefined;
  attendees?: string[] | undefined;
  timeZone?: string | undefined;
  isAllDay?: boolean | undefined;
  hasMeeting?: boolean | undefined;
  reminderMinutes?: number | undefined;
}

const toGraphEvent = (given: EventDetails): ApiRequestBody => ({
  as: 'json',
  value: {
    subject: given.title,
    body: toGraphBody(given.text, given.html),
    start: toGraphTime(given.start, given.timeZone),
    end: toGraphTime(given.end, given.timeZone),
    location: given.location === undefined ? undefined : { displayName: given.location },
    attendees: given.attendees?.map((address) => ({ type: 'required', emailAddress: { address } })),
    isAllDay: given.isAllDay,
    isOnlineMeeting: given.hasMeeting,
    onlineMeetingProvider: given.hasMeeting ? 'teamsForBusiness' : undefined,
    isReminderOn: given.reminderMinutes === undefined ? undefined : true,
    reminderMinutesBeforeStart: given.reminderMinutes,
  },
});

const calendarPath = (id: string | undefined, part: string) =>
  id === undefined ? `/me/calendar${part}` : `/me/calendars/${encodePathPart(id)}${part}`;

const changedEventKinds = [
  {
    id: 'events.list_created',
    title: 'List new events',
    help: 'Events that were created since a time.',
    field: 'createdDateTime',
    poll: { title: 'New event', words: 'outlook calendar trigger event created meeting', key: 'item.id' },
  },
  {
    id: 'events.list_changed',
    title: 'List changed events',
    help: 'Events that were created or changed since a time.',
    field: 'lastModifiedDateTime',
    poll: {
      title: 'New or changed event',
      words: 'outlook calendar trigger event updated moved',
      key: "item.id & ' ' & item.lastModifiedDateTime",
    },
  },
];

/** Operations with events and calendars of Outlook. */
export const outlookCalendarOperations: OperationDefinition[] = [
  {
    id: 'calendars.list',
    title: 'List calendars',
    help: 'Calendars of the account, with their ids.',
    limits: OUTLOOK_RATE_LIMIT,
    method: 'GET',
    path: '/me/calendars',
    inQuery: { top: graphPageSizeParameter },
    names: graphODataNames,
    items: 'value',
    paging: microsoftGraphPaging,
    example: {
      value: [
        { id: 'AAMkAGI2TGuLAAA=', name: 'Calendar', isDefaultCalendar: true, owner: { address: 'me@example.com' } },
      ],
    },
  },
  defineSteppedOperation({
    id: 'events.list',
    title: 'List events',
    help: 'Between two times, repeated events one by one; without times all events, repeated ones once.',
    limits: OUTLOOK_RATE_LIMIT,
    parameters: {
      calendarId: outlookCalendarId,
      from: valueLineParameter('From', 'quantity', 64).optional().describe('ISO 8601, e.g. 2026-03-01T00:00:00Z'),
      to: valueLineParameter('To', 'quantity', 64).optional().describe('ISO 8601, e.g. 2026-03-08T00:00:00Z'),
      filter: graphFilterParameter.describe("An OData condition, e.g. contains(subject, 'Planning')"),
      limit: graphLimitParameter,
    },
    *steps({ calendarId, from, to, filter, limit }) {
      if ((from === undefined) !== (to === undefined))
        throw new NodeFailure(
          'CONFIG',
          `parameters.${from === undefined ? 'from' : 'to'}: both times are needed`,
          false,
        );
      const query = { startDateTime: from, endDateTime: to, $filter: filter, $orderby: 'start/dateTime', $top: 250 };
      const path = calendarPath(calendarId, from === undefined ? '/events' : '/calendarView');
      return yield* collectGraphItems({ path, query }, limit);
    },
    example: [outlookEventExample],
  }),
  ...changedEventKinds.map(({ field, poll, ...facts }) =>
    defineSteppedOperation({
      ...facts,
      limits: OUTLOOK_RATE_LIMIT,
      parameters: {
        calendarId: outlookCalendarId,
        since: valueLineParameter('Since', 'quantity', 64).describe('ISO 8601 in UTC, e.g. 2026-03-01T00:00:00Z'),
        limit: graphLimitParameter,
      },
      *steps({ calendarId, since, limit }) {
        const query = { $filter: `${field} ge ${since}`, $orderby: `${field} desc`, $top: 250 };
        return yield* collectGraphItems({ path: calendarPath(calendarId, '/events'), query }, limit);
      },
      example: [outlookEventExample],
      poll: {
        ...poll,
        parameters: { since: SINCE_LAST_POLL },
        items: 'input.body',
        cursor: `$sort(input.body.${field})[-1]`,
      },
    }),
  ),
  {
    id: 'events.get',
    title: 'Get an event',
    help: 'One event by its id.',
    limits: OUTLOOK_RATE_LIMIT,
    method: 'GET',
    path: '/me/events/{eventId}',
    inPath: { eventId: outlookEventId },
    example: outlookEventExample,
  },
  defineSteppedOperation({
    id: 'events.create',
    title: 'Create an event',
    help: 'With a time or for whole days; the attendees get invitations.',
    limits: OUTLOOK_RATE_LIMIT,
    parameters: {
      calendarId: outlookCalendarId,
      title: contentLineParameter('Title', 255).describe('Title of the event'),
      start: valueLineParameter('Start', 'quantity', 64).describe(EVENT_TIME_HINT),
      end: valueLineParameter('End', 'quantity', 64).describe(EVENT_TIME_HINT),
      ...eventDetails,
    },
    *steps({ calendarId, ...event }) {
      return (yield { method: 'POST', path: calendarPath(calendarId, '/events'), body: toGraphEvent(event) }).body;
    },
    example: outlookEventExample,
  }),
  defineSteppedOperation({
    id: 'events.update',
    title: 'Update an event',
    help: 'Changes what is given; the rest stays. The attendees are told.',
    limits: OUTLOOK_RATE_LIMIT,
    parameters: {
      eventId: outlookEventId,
      title: contentLineParameter('Title', 255).optional().describe('Title of the event'),
      start: valueLineParameter('Start', 'quantity', 64).optional().describe(EVENT_TIME_HINT),
      end: valueLineParameter('End', 'quantity', 64).optional().describe(EVENT_TIME_HINT),
      ...eventDetails,
    },
    *steps({ eventId, ...event }) {
      return (yield { method: 'PATCH', path: `/me/events/${encodePathPart(eventId)}`, body: toGraphEvent(event) }).body;
    },
    example: outlookEventExample,
  }),
  {
    id: 'events.delete',
    title: 'Delete an event',
    help: 'Cancels it for all attendees, if the account has arranged it.',
    limits: OUTLOOK_RATE_LIMIT,
    method: 'DELETE',
    path: '/me/events/{eventId}',
    inPath: { eventId: outlookEventId },
    example: null,
  },
  defineSteppedOperation({
    id: 'events.respond',
    title: 'Answer an invitation',
    help: 'Accepts, declines or accepts with reservation.',
    limits: OUTLOOK_RATE_LIMIT,
    parameters: {
      eventId: outlookEventId,
      answer: choiceParameter('Answer', ['accept', 'decline', 'tentativelyAccept']).describe('What is answered'),
      comment: multilineParameter('Comment', 10_000).optional().describe('A text for whoever has invited'),
    },
    *steps({ eventId, answer, comment }) {
      const body = { as: 'json', value: { comment, sendResponse: true } } as const;
      return (yield { method: 'POST', path: `/me/events/${encodePathPart(eventId)}/${answer}`, body }).body;
    },
    example: null,
  }),
  defineSteppedOperation({
    id: 'calendars.find_busy_times',
    title: 'Find busy times',
    help: 'When people have events, without what they are.',
    limits: OUTLOOK_RATE_LIMIT,
    parameters: {
      people: listedLineListParameter('People', 'emailAddresses').describe('Email addresses'),
      from: valueLineParameter('From', 'quantity', 64).describe(EVENT_TIME_HINT),
      to: valueLineParameter('To', 'quantity', 64).describe(EVENT_TIME_HINT),
      timeZone: eventDetails.timeZone,
    },
    *steps({ people: schedules, from, to, timeZone }) {
      const value = { schedules, startTime: toGraphTime(from, timeZone), endTime: toGraphTime(to, timeZone) };
      return (yield { method: 'POST', path: '/me/calendar/getSchedule', body: { as: 'json', value } }).body;
    },
    example: { value: [{ scheduleId: 'ada@example.com', availabilityView: '0022', scheduleItems: [] }] },
  }),
];
