import type { ConnectorPaging } from '../../operation';
import { listedLineParameter } from '../../parameters';

// https://developers.google.com/workspace/calendar/api/v3/reference
export const CALENDAR_API = 'calendar';
export const calendarTokenPaging: ConnectorPaging = { kind: 'token', at: 'nextPageToken', query: 'pageToken' };
export const googleCalendarId = listedLineParameter('Calendar', 'calendars')
  .default('primary')
  .describe('Its id, e.g. the address of a shared calendar; primary: the own one');

// https://developers.google.com/workspace/calendar/api/guides/quota
export const calendarRateLimit = '600 calls a minute for a user.';
export const calendarEventExample = {
  id: '7cbh8rpc10lrc0ckih9tafss99',
  status: 'confirmed',
  summary: 'Planning',
  start: { dateTime: '2026-03-01T09:00:00+01:00' },
  end: { dateTime: '2026-03-01T10:00:00+01:00' },
  attendees: [{ email: 'ada@example.com', responseStatus: 'needsAction' }],
  created: '2026-01-31T08:15:30.000Z',
  htmlLink: 'https://www.google.com/calendar/event?eid=N2Ni…',
};

export const calendarEventPath = (calendar: string, id = '') =>
  `/calendars/${encodeURIComponent(calendar)}/events${id && `/${encodeURIComponent(id)}`}`;
