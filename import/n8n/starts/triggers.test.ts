import { describe, expect, it } from 'vitest';
import { CreatePollRequest } from '@/contract/triggers/poll';
import { CreateWebhookRequest } from '@/contract/triggers/webhook';
import { findBuiltInConnector } from '@/server/connectors';
import { importN8n } from '../convert';
import { z } from 'zod';

const chosen = (value: string, name = value) => ({ __rl: true, mode: 'list', value, cachedResultName: name });

/** The import of a trigger, and of a node that reads a field. */
function imported(type: string, parameters: object, field = 'id') {
  const node = (name: string, kind: string, given: object) => ({
    name,
    type: `n8n-nodes-base.${kind}`,
    parameters: given,
    typeVersion: 3.4,
    position: [0, 0],
  });
  const value = `={{ $json.${field} }}`;
  const nodes = [
    node('New one', type, parameters),
    node('Then', 'set', { assignments: { assignments: [{ name: 'x', value, type: 'string' }] } }),
  ];
  const connections = { 'New one': { main: [[{ node: 'Then', type: 'main', index: 0 }]] } };
  const { triggers, definition, report } = importN8n({ name: 'Theirs', nodes, connections });
  const [first] = report;
  return {
    trigger: triggers[0],
    triggers,
    definition,
    report: first,
    message: first?.message,
    outcome: first?.outcome,
  };
}

const POLLS: [string, object, object][] = [
  [
    'gmailTrigger',
    { filters: { q: 'invoice', sender: 'a@example.com' }, pollTimes: { item: [{ mode: 'everyHour', minute: 5 }] } },
    {
      cron: '5 * * * *',
      node: {
        config: {
          parameters: {
            query:
              'in:inbox is:unread from:a@example.com invoice after:{{ cursor ?? $floor($millis() / 1000) - 3600 }}',
          },
        },
      },
    },
  ],
  [
    'googleDriveTrigger',
    { triggerOn: 'specificFolder', event: 'fileCreated', folderToWatch: chosen('f1', 'Reports') },
    {
      intervalMs: 60_000,
      node: {
        config: { parameters: { folder: 'f1', createdAfter: '{{ cursor }}' } },
        labels: { 'parameters.folder': 'Reports' },
      },
    },
  ],
  [
    'googleSheetsTrigger',
    { event: 'rowAdded', documentId: chosen('1Abc'), sheetName: chosen('gid=0', 'Leads') },
    { key: 'item.row_number', node: { config: { parameters: { spreadsheet: '1Abc', sheet: 'Leads' } } } },
  ],
  [
    'googleCalendarTrigger',
    { triggerOn: 'eventCreated', calendarId: chosen('me') },
    { node: { config: { parameters: { calendar: 'me' } } } },
  ],
  [
    'googleDriveTrigger',
    { triggerOn: 'specificFolder', event: 'fileUpdated', folderToWatch: chosen('f1') },
    { node: { config: { operation: 'drive.list_changed', parameters: { folder: 'f1' } } } },
  ],
  [
    'googleDriveTrigger',
    { triggerOn: 'specificFolder', event: 'folderCreated', folderToWatch: chosen('f1') },
    { node: { config: { operation: 'drive.list_folders' } } },
  ],
  [
    'googleDriveTrigger',
    { triggerOn: 'specificFile', fileToWatch: chosen('x1') },
    { node: { config: { operation: 'drive.get', parameters: { file: 'x1' } } } },
  ],
  [
    'googleSheetsTrigger',
    { event: 'rowUpdate', documentId: chosen('1Abc'), sheetName: chosen('gid=0', 'Leads') },
    { node: { config: { operation: 'sheets.read_row_versions', parameters: { sheet: 'Leads' } } } },
  ],
  ...['eventUpdated', 'eventCancelled', 'eventStarted', 'eventEnded'].map((triggerOn): [string, object, object] => [
    'googleCalendarTrigger',
    { triggerOn, calendarId: chosen('me') },
    { node: { config: { operation: `calendar.list_${triggerOn.slice(5).toLowerCase()}_events` } } },
  ]),
  [
    'microsoftOutlookTrigger',
    { filters: { readStatus: 'unread', sender: "o'neil@example.com", foldersToInclude: ['f1'] } },
    {
      node: {
        config: {
          parameters: {
            folderId: 'f1',
            filter:
              "receivedDateTime ge {{ cursor ?? $fromMillis($millis() - 3600000) }} and isRead eq false and from/emailAddress/address eq 'o''neil@example.com'",
          },
        },
      },
    },
  ],
  ...['fileCreated', 'fileUpdated', 'folderCreated'].map((event): [string, object, object] => [
    'microsoftOneDriveTrigger',
    { event, watchFolder: true, folderId: chosen('f1') },
    { node: { config: { parameters: { folderId: 'f1' } } } },
  ]),
  ...['newChannelMessage', 'newChatMessage', 'newChat', 'newChannel', 'newTeamMember'].map(
    (event): [string, object, object] => [
      'microsoftTeamsTrigger',
      { event, teamId: chosen('t1'), channelId: chosen('c1'), chatId: chosen('h1') },
      { node: { config: { connectorId: 'microsoft_graph' } } },
    ],
  ),
  ['airtableTrigger', { baseId: chosen('app1'), tableId: chosen('tbl1') }, { key: 'item.id' }],
  ['notionTrigger', { databaseId: chosen('d1') }, { node: { config: { parameters: { database: 'd1' } } } }],
];

describe('a trigger of n8n that polls a service', () => {
  it.each(POLLS)('%s is a disabled poll, as the connector describes it', (type, parameters, expected) => {
    const { trigger, outcome, message } = imported(type, parameters);
    expect(trigger).toMatchObject({ kind: 'poll', settings: { name: 'New one', enabled: false, ...expected } });
    expect([outcome, message]).toEqual(['partly', expect.stringMatching(/^Choose its account under Triggers/)]);
    const { node, items, key, cursor } = CreatePollRequest.parse(trigger?.settings);
    const { connectorId, operation } = node.config as { connectorId: string; operation: string };
    const source = findBuiltInConnector(connectorId)?.operations.find(({ id }) => id === operation);
    expect(source?.poll).toMatchObject({ items, key, ...(cursor ? { cursor } : {}) });
    expect(Object.keys(node.config['parameters'] as object)).toEqual(
      expect.arrayContaining(Object.keys(source?.poll?.parameters ?? {})),
    );
  });

  it('reads the fields that n8n writes with a capital', () => {
    expect(JSON.stringify(imported('gmailTrigger', {}, 'Subject').definition)).toContain(
      '\\"Subject\\": $json?.subject',
    );
  });

  it('without what identifies its source is left to a person', () => {
    expect(imported('airtableTrigger', { baseId: '={{ $json.x }}' }).trigger).toBeUndefined();
    expect(imported('microsoftTeamsTrigger', { event: 'newChannel' }).trigger).toBeUndefined();
    expect(imported('googleDriveTrigger', { triggerOn: 'specificFile' })).toMatchObject({
      trigger: undefined,
      message: 'Under Triggers add “New file” of Google Drive.',
    });
    expect(imported('googleSheetsTrigger', { documentId: chosen('') }).report?.choices).toEqual([
      { field: 'node.config', sentence: 'Under Triggers add “New row” of Google Sheets.' },
    ]);
    expect(imported('airtableTrigger', { baseId: '={{ $json.x }}', tableId: chosen('t') }).report?.choices).toEqual([]);
    const { trigger } = imported('googleSheetsTrigger', { documentId: chosen('1Abc'), event: 'anyUpdate' });
    expect(trigger).toMatchObject({ settings: { key: "item.row_number & ' ' & item.checksum" } });
  });
});

describe('a trigger of n8n whose service calls', () => {
  it.each<[string, object, object[]]>([
    ['telegramTrigger', { updates: ['message'] }, [{ connectorId: 'telegram', event: 'message' }]],
    ['telegramTrigger', { updates: ['message', 'poll'] }, [{ connectorId: 'telegram', event: 'any' }]],
    [
      'githubTrigger',
      {
        events: ['push', 'release'],
        owner: { __rl: true, mode: 'url', value: 'https://github.com/acme' },
        repository: chosen('doors'),
      },
      ['push', 'release'].map((event) => ({
        connectorId: 'github',
        event,
        parameters: { owner: 'acme', repo: 'doors' },
      })),
    ],
    [
      'gitlabTrigger',
      { events: ['note'], owner: 'acme', repository: 'doors' },
      [{ connectorId: 'gitlab', event: 'note_events', parameters: { project: 'acme/doors' } }],
    ],
    ['stripeTrigger', { events: ['invoice.paid'] }, [{ connectorId: 'stripe', event: 'invoice.paid' }]],
    ['calendlyTrigger', { events: ['invitee.created'] }, [{ connectorId: 'calendly', event: 'invitee.created' }]],
    ['shopifyTrigger', { topic: 'orders/create' }, [{ connectorId: 'shopify', event: 'orders/create' }]],
    ['wooCommerceTrigger', { event: 'order.created' }, [{ connectorId: 'woocommerce', event: 'order.created' }]],
    ['typeformTrigger', { formId: 'f1' }, [{ connectorId: 'typeform', parameters: { form: 'f1' } }]],
    [
      'linearTrigger',
      { resources: ['issue'], teamId: 't1' },
      [{ connectorId: 'linear', event: 'Issue', parameters: { team: 't1' } }],
    ],
    ['jiraTrigger', { events: ['jira:issue_created'] }, [{ connectorId: 'jira', event: 'jira:issue_created' }]],
    [
      'clickUpTrigger',
      { events: ['taskCreated'], team: '9', filters: {} },
      [{ connectorId: 'clickup', event: 'taskCreated', parameters: { workspace: '9' } }],
    ],
  ])('%s becomes webhooks that are made once they have an account', (type, parameters, expected) => {
    const { triggers, outcome, message } = imported(type, parameters);
    const bodies = triggers.map(({ settings }) => CreateWebhookRequest.parse(settings));
    expect(bodies.map(({ subscription }) => subscription)).toMatchObject(
      expected.map((one) => ({ ...one, credentialId: null })),
    );
    for (const { subscription } of bodies) {
      const { connectorId, event, parameters: given } = subscription ?? {};
      const events = findBuiltInConnector(connectorId ?? '')?.subscriptions?.events;
      const known = events?.find(({ id }) => id === event);
      expect(z.strictObject(known?.parameters ?? {}).parse(given)).toEqual(given);
    }
    expect([outcome, message]).toEqual([
      'partly',
      expect.stringMatching(/^Choose its account at .+ under Triggers\.$/),
    ]);
  });

  it('says which of the choices is empty in n8n, too', () => {
    const { triggers, report } = imported('githubTrigger', { events: ['push'], owner: 'acme', repository: chosen('') });
    expect(triggers).toMatchObject([
      { settings: { subscription: { parameters: { owner: 'acme' } }, input: 'request' } },
    ]);
    expect(report?.choices).toEqual([
      { field: 'subscription.parameters.repo', sentence: 'Choose its repository under Triggers.' },
    ]);
  });

  it.each([
    ['slackTrigger', 'slack', {}],
    ['githubTrigger', 'github', { events: ['*'] }],
    ['telegramTrigger', 'telegram', { updates: ['message'], additionalFields: { download: true } }],
    ['stripeTrigger', 'stripe', { events: ['payout.paid'] }],
    ['whatsAppTrigger', 'meta', {}],
    ['trelloTrigger', 'trello', {}],
    ['facebookTrigger', 'meta', {}],
    ['twilioTrigger', 'twilio', {}],
  ])('%s without such an event is a webhook that refuses calls until its secret is known', (type, provider, given) => {
    const [first, second] = [imported(type, given), imported(type, given)];
    const settings = CreateWebhookRequest.parse(first.trigger?.settings);
    expect(settings).toMatchObject({ path: 'new-one', verification: { kind: 'provider', provider } });
    expect(JSON.stringify(settings)).not.toBe(JSON.stringify(second.trigger?.settings));
    expect(first.message).toMatch(/^Enter its secret: that which .+ shows for its webhook/);
  });

  it('brings the web pages that may call it along', () => {
    const options = { allowedOrigins: 'https://a.example, https://b.example/path' };
    const settings = CreateWebhookRequest.parse(imported('webhook', { options }).trigger?.settings);
    expect(settings.cors).toEqual({ origins: ['https://a.example'], headers: [] });
    expect(imported('webhook', {}).trigger?.settings).not.toHaveProperty('cors');
  });
});

describe('a webhook of n8n whose callers prove who they are', () => {
  it.each([
    ['basicAuth', 'basic', 'password'],
    ['headerAuth', 'header', 'value'],
    ['jwtAuth', 'jwt', 'key'],
  ])('%s refuses all calls until its secret is entered', (authentication, kind, field) => {
    const first = imported('webhook', { path: 'orders', authentication, responseMode: 'lastNode' });
    const again = imported('webhook', { path: 'orders', authentication });
    expect(first.trigger?.settings).toMatchObject({ path: 'orders', verification: { kind } });
    expect(CreateWebhookRequest.safeParse(first.trigger?.settings).success).toBe(true);
    const readSecret = (settings: unknown) =>
      (settings as { verification: Record<string, unknown> }).verification[field];
    expect(readSecret(first.trigger?.settings)).not.toBe(readSecret(again.trigger?.settings));
    expect([first.outcome, first.message]).toEqual(['partly', expect.stringContaining('refuses all calls')]);
  });

  it('of another kind is to add by hand', () => {
    const { trigger, message } = imported('webhook', { path: 'orders', authentication: 'digest' });
    expect(trigger).toBeUndefined();
    expect(message).toContain('choose how callers prove who they are');
  });
});

describe('what the visitors of a form see', () => {
  const text = 'Your response has been recorded';
  const respond = (values: object) => ({ options: { respondWithOptions: { values } } });
  it.each<[object, object, string]>([
    [{}, { mode: 'message', message: text }, 'converted'],
    [{ options: { formSubmittedText: 'Thanks' } }, { mode: 'message', message: 'Thanks' }, 'converted'],
    [respond({ formSubmittedText: 'Got it' }), { mode: 'message', message: 'Got it' }, 'converted'],
    [respond({ formSubmittedText: '=Hi {{ 1 }}' }), { mode: 'message', message: text }, 'partly'],
    [respond({ formSubmittedText: '<b>Hi</b>' }), { mode: 'message', message: text }, 'partly'],
    [
      respond({ respondWith: 'redirect', redirectUrl: 'https://example.com/a' }),
      { mode: 'redirect', url: 'https://example.com/a' },
      'converted',
    ],
    [respond({ respondWith: 'redirect', redirectUrl: 'javascript:1' }), { mode: 'message', message: text }, 'partly'],
    [{ responseMode: 'lastNode' }, { mode: 'message', message: text }, 'converted'],
    [{ responseMode: 'responseNode' }, { mode: 'message', message: text }, 'partly'],
  ])('%j', (parameters, response, outcome) => {
    const { trigger, outcome: found } = imported('formTrigger', parameters);
    expect([trigger?.kind, trigger?.settings]).toEqual(['form', expect.objectContaining({ response })]);
    expect(found).toBe(outcome);
  });
});
