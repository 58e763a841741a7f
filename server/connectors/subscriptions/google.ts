import { createHash } from 'node:crypto';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { MS_PER_DAY } from '@/contract/units';
import { listedLineParameter } from '../parameters';
import type { ApiRequest } from '../operation';
import type { ConnectorSubscriptions, SubscribedEvent } from '../subscription';

/** A day for files, which is the longest for changes of a drive; a week for calendars. */
const CHANNEL_LIFE_DAYS = { calendar: 7, drive: 1 } as const;
type ChannelApi = keyof typeof CHANNEL_LIFE_DAYS;

const googleEvent = (
  event: Pick<SubscribedEvent, 'id' | 'title' | 'words' | 'parameters'>,
  resource: string,
): SubscribedEvent => ({
  ...event,
  example: {
    method: 'POST',
    headers: {
      'x-goog-channel-id': '6a3f0c1de2b94c7f8a5b6d7e8f901234',
      'x-goog-message-number': '10',
      'x-goog-resource-id': 'ret08u3rv24htgh289g',
      'x-goog-resource-state': 'exists',
      'x-goog-resource-uri': resource,
    },
    query: {},
    body: null,
  },
});

const apiOfEvent = (event: string): ChannelApi => (event === 'calendar.changed' ? 'calendar' : 'drive');

/** What is watched. Changes of a drive are watched from now on. */
const watchPath = (event: string, { calendar, file }: Record<string, unknown>): string =>
  event === 'calendar.changed'
    ? `/calendars/${encodeURIComponent(String(calendar ?? 'primary'))}/events/watch`
    : `/files/${encodeURIComponent(String(file))}/watch`;

/** A channel is stopped by its own id and that of what it watches. */
const joinChannelId = (id: string, resourceId: string) => `${id}/${resourceId}`;

/**
 * https://developers.google.com/workspace/calendar/api/guides/push and
 * https://developers.google.com/workspace/drive/api/guides/push : channels cannot be listed or renewed. Another one
 * replaces one that ends, and notifications say only that something changed.
 */
export const googleSubscriptions: ConnectorSubscriptions = {
  verification: { kind: 'header', name: 'x-goog-channel-token' },
  source: 'https://developers.google.com/workspace/calendar/api/guides/push',
  secretFrom: 'attempt',
  input: 'request',
  events: [
    googleEvent(
      {
        id: 'calendar.changed',
        title: 'Something in a calendar changes',
        words: 'google calendar event meeting new updated deleted',
        parameters: {
          calendar: listedLineParameter('Calendar', 'calendars')
            .default('primary')
            .describe('Its id, e.g. the address of a shared calendar; primary: the own one'),
        },
      },
      'https://www.googleapis.com/calendar/v3/calendars/primary/events?alt=json',
    ),
    googleEvent(
      {
        id: 'drive.changed',
        title: 'Something in Google Drive changes',
        words: 'google drive files folder new upload',
        parameters: {},
      },
      'https://www.googleapis.com/drive/v3/changes?alt=json',
    ),
    googleEvent(
      {
        id: 'file.changed',
        title: 'A file in Google Drive changes',
        words: 'google drive document sheet edit',
        parameters: { file: listedLineParameter('File', 'files', [], 200).describe('Id of the file') },
      },
      'https://www.googleapis.com/drive/v3/files/1a2b3c?alt=json',
    ),
  ],
  // oxlint-disable-next-line require-yield -- nothing can be asked
  *find({ externalId }) {
    return externalId === null ? null : { externalId, expiresAt: null };
  },
  *create({ url, secret, event, parameters }) {
    const api = apiOfEvent(event);
    const id = createHash('sha256').update(`channel ${secret}`).digest('hex').slice(0, 32);
    const expiration = Date.now() + CHANNEL_LIFE_DAYS[api] * MS_PER_DAY;
    const value = { id, type: 'web_hook', address: url, token: secret, expiration };
    const watched: ApiRequest = {
      method: 'POST',
      path: watchPath(event, parameters),
      api,
      body: { as: 'json', value },
    };
    if (event === 'drive.changed') {
      const { body } = yield { path: '/changes/startPageToken', api };
      watched.path = '/changes/watch';
      watched.query = { pageToken: getAtPath(body, 'startPageToken') };
    }
    const { body } = yield watched;
    const end = Number(getAtPath(body, 'expiration'));
    return {
      externalId: joinChannelId(id, String(getAtPath(body, 'resourceId'))),
      expiresAt: Number.isFinite(end) ? new Date(end) : null,
    };
  },
  *remove(externalId, { event }) {
    const [id = '', ...resource] = externalId.split('/');
    const value = { id, resourceId: resource.join('/') };
    yield { method: 'POST', path: '/channels/stop', api: apiOfEvent(event), body: { as: 'json', value } };
  },
};
