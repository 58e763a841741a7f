import type { ConnectorDefinition } from '../../connector';
import type { ConnectorPaging } from '../../operation';
import {
  choiceParameter,
  countParameter,
  listedLineListParameter,
  listedLineParameter,
  multilineParameter,
  valueLineParameter,
} from '../../parameters';
import { calendlyChoices, calendlyListOperations, calendlyRateLimit } from './calendly-lists';
import { calendlySubscriptions } from '../../subscriptions/calendly';

// https://developer.calendly.com/api-docs
const calendlyTokenPaging: ConnectorPaging = { kind: 'token', at: 'pagination.next_page_token', query: 'page_token' };
const calendlyEventId = listedLineParameter('Event', 'events', [], 100).describe('Id, the end of its uri');
const calendlyOrganizationUri = listedLineParameter('Organization', 'organizations', [], 200).describe(
  'uri, from "Get the own user"',
);
const calendlyUserUri = listedLineParameter('User', 'users', [], 200).describe('uri, from "Get the own user"');
const calendlyPageSize = countParameter('Items a page', 100).optional().describe('At most 100; default 20');
const calendlyEventExample = {
  uri: 'https://api.calendly.com/scheduled_events/GBGBDCAADAEDCRZ2',
  name: '15 minutes',
  status: 'active',
  start_time: '2026-03-01T09:00:00.000000Z',
  created_at: '2026-01-31T08:15:30.000000Z',
};

export const calendlyConnector: ConnectorDefinition = {
  id: 'calendly',
  name: 'Calendly',
  description: 'Scheduled events, invitees and event types.',
  synonyms: ['calendar', 'meeting', 'appointment', 'booking', 'schedule'],
  flow: 'token',
  apiUrl: 'https://api.calendly.com',
  scopes: {},
  token: {
    title: 'Personal access token',
    setup: 'At calendly.com/integrations/api_webhooks generate a personal access token.',
    fields: [
      {
        name: 'token',
        title: 'Personal access token',
        hint: 'Begins with eyJ',
        isSecret: true,
        pattern: /^[\w.-]{20,2000}$/,
        rule: 'must be a token of Calendly',
      },
    ],
    headers: { Authorization: 'Bearer {token}' },
  },
  setup: 'Nothing has to be registered: a user has access tokens.',
  probe: { path: '/users/me' },
  // On the free plan; 500 on others.
  limits: { perMinute: 50, source: 'https://developer.calendly.com/api-docs/overview/rate-limits' },
  choices: calendlyChoices,
  subscriptions: calendlySubscriptions,
  operations: [
    {
      id: 'users.get_own',
      title: 'Get the own user',
      help: 'With the uri of the user and the organization, which other operations need.',
      limits: calendlyRateLimit,
      method: 'GET',
      path: '/users/me',
      example: {
        resource: {
          uri: 'https://api.calendly.com/users/AAAA',
          name: 'Ada',
          current_organization: 'https://api.calendly.com/organizations/BBBB',
        },
      },
    },
    {
      id: 'events.list',
      title: 'List scheduled events',
      help: 'Of a user, by time.',
      limits: calendlyRateLimit,
      method: 'GET',
      path: '/scheduled_events',
      inQuery: {
        user: calendlyUserUri,
        status: choiceParameter('Status', ['active', 'canceled']).optional().describe('Default both'),
        from: valueLineParameter('From', 'quantity', 64).optional().describe('ISO 8601'),
        to: valueLineParameter('To', 'quantity', 64).optional().describe('ISO 8601'),
        limit: calendlyPageSize,
      },
      names: { from: 'min_start_time', to: 'max_start_time', limit: 'count' },
      items: 'collection',
      paging: calendlyTokenPaging,
      example: { collection: [calendlyEventExample], pagination: { next_page_token: null } },
      poll: {
        title: 'New booking',
        words: 'calendly trigger event booked meeting appointment invitee',
        parameters: { from: '{{ $now() }}', status: 'active', allPages: true, limit: 100 },
        items: 'input.body',
        key: 'item.uri',
      },
    },
    {
      id: 'events.get',
      title: 'Get a scheduled event',
      help: 'Times, place and hosts.',
      limits: calendlyRateLimit,
      method: 'GET',
      path: '/scheduled_events/{event}',
      inPath: { event: calendlyEventId },
      example: { resource: calendlyEventExample },
    },
    {
      id: 'events.cancel',
      title: 'Cancel a scheduled event',
      help: 'Invitees are told.',
      limits: calendlyRateLimit,
      method: 'POST',
      path: '/scheduled_events/{event}/cancellation',
      inPath: { event: calendlyEventId },
      inBody: { reason: multilineParameter('Reason', 10_000).optional().describe('Sent to the invitees') },
      example: { resource: { canceled_by: 'Ada', reason: 'Ill' } },
    },
    {
      id: 'invitees.list',
      title: 'List invitees of an event',
      help: 'With their answers.',
      limits: calendlyRateLimit,
      method: 'GET',
      path: '/scheduled_events/{event}/invitees',
      inPath: { event: calendlyEventId },
      inQuery: { limit: calendlyPageSize },
      names: { limit: 'count' },
      items: 'collection',
      paging: calendlyTokenPaging,
      example: { collection: [{ email: 'bob@example.com', name: 'Bob', questions_and_answers: [] }], pagination: {} },
    },
    {
      id: 'event_types.list',
      title: 'List event types',
      help: 'With the addresses for booking.',
      limits: calendlyRateLimit,
      method: 'GET',
      path: '/event_types',
      inQuery: { user: calendlyUserUri, limit: calendlyPageSize },
      names: { limit: 'count' },
      items: 'collection',
      paging: calendlyTokenPaging,
      example: {
        collection: [
          {
            uri: 'https://api.calendly.com/event_types/CCCC',
            name: '15 minutes',
            scheduling_url: 'https://calendly.com/ada/15',
          },
        ],
        pagination: {},
      },
    },
    {
      id: 'webhooks.create',
      title: 'Create a webhook',
      help: 'Sends bookings to an address, such as a webhook of Weft for Calendly. Needs a paid plan.',
      limits: calendlyRateLimit,
      method: 'POST',
      path: '/webhook_subscriptions',
      inBody: {
        url: valueLineParameter('Address', 'address', 2000).describe('Address of the webhook'),
        events: listedLineListParameter('Events', 'webhookEvents').describe('e.g. invitee.created, invitee.canceled'),
        organization: calendlyOrganizationUri,
        user: calendlyUserUri.optional(),
        scope: choiceParameter('Scope', ['user', 'organization']).describe('Whose bookings'),
        key: valueLineParameter('Signing key', 'new name', 200).optional().describe('As entered in the webhook'),
      },
      names: { key: 'signing_key' },
      example: { resource: { uri: 'https://api.calendly.com/webhook_subscriptions/DDDD', state: 'active' } },
    },
    ...calendlyListOperations,
  ],
};
