import { expect, test } from 'vitest';
import { useDatabase } from '@/server/testing/database';
import { startRun, storeWorkflow } from '@/server/testing/runs';
import { useWorker } from '@/server/testing/worker';
import { importN8n } from '../convert';

useDatabase();
useWorker();

const node = (name: string, type: string, parameters: object, typeVersion: number) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  parameters,
  typeVersion,
  position: [0, 0],
});

/** What a node behind a trigger gets of a call, by one expression of n8n for each item. */
async function runBehindTrigger(
  [type, parameters, version]: [string, object, number],
  value: string,
  input: object,
): Promise<unknown[]> {
  const nodes = [
    node('Called', type, parameters, version),
    node('Then', 'set', { assignments: { assignments: [{ name: 'x', value: `={{ ${value} }}`, type: 'any' }] } }, 3.4),
  ];
  const connections = { Called: { main: [[{ node: 'Then', type: 'main', index: 0 }]] } };
  const { definition } = importN8n({ name: 'Theirs', nodes, connections });
  const execution = await (await startRun(await storeWorkflow(definition), input, null)).finish();
  expect(execution.error).toBeNull();
  const id = definition.nodes.find(({ name }) => name === 'Then')?.id;
  const output = execution.nodeResults.find(({ nodeId }) => nodeId === id)?.output ?? [];
  return (output as { x: unknown }[]).map(({ x }) => x);
}

const MESSAGE = { update_id: 1, message: { text: 'Hello', chat: { id: 7 }, from: { id: 8 } } };
const PRESS = { update_id: 2, callback_query: { data: 'yes', from: { id: 8 }, message: { chat: { id: 7 } } } };
const CALL = { method: 'POST', path: 'a', query: {}, headers: { 'x-github-event': 'push' }, body: { ref: 'main' } };
const FORM = {
  event_type: 'form_response',
  form_response: {
    definition: {
      fields: [
        { id: 'f1', title: 'Your {{field:a}} name' },
        { id: 'f2', title: 'Size' },
      ],
    },
    answers: [
      { type: 'text', text: 'Ada', field: { id: 'f1' } },
      { type: 'choice', choice: { label: 'Large' }, field: { id: 'f2' } },
    ],
  },
};
const SLACK = { type: 'event_callback', event: { type: 'message', text: 'Hi', user: 'U1', channel: 'C1' } };
const HUBSPOT = { subscriptionType: 'contact.propertyChange', propertyName: 'email', objectId: 7 };
const WHATSAPP = {
  object: 'whatsapp_business_account',
  entry: [
    {
      changes: [
        { field: 'messages', value: { messages: [{ text: { body: 'Hi' } }] } },
        { field: 'messages', value: { statuses: [{ status: 'read' }] } },
      ],
    },
  ],
};

test.each<[string, [string, object, number], string, object, unknown[]]>([
  ['the update itself', ['telegramTrigger', { updates: ['message'] }, 1.2], '$json.message.text', MESSAGE, ['Hello']],
  [
    'updates of chosen kinds',
    ['telegramTrigger', { updates: ['message', 'callback_query'] }, 1],
    '$json.update_id',
    PRESS,
    [2],
  ],
  ['no update of another kind', ['telegramTrigger', { updates: ['message', 'poll'] }, 1], '$json.update_id', PRESS, []],
  [
    'updates of a chosen chat',
    ['telegramTrigger', { updates: ['*'], additionalFields: { chatIds: '6, 7' } }, 1.4],
    '$json.update_id',
    PRESS,
    [2],
  ],
  [
    'only messages of a chosen chat in former versions',
    ['telegramTrigger', { updates: ['*'], additionalFields: { chatIds: '6, 7' } }, 1.2],
    '$json.update_id',
    PRESS,
    [],
  ],
  [
    'no update of another person',
    ['telegramTrigger', { updates: ['*'], additionalFields: { userIds: '9' } }, 1.2],
    '$json.update_id',
    MESSAGE,
    [],
  ],
  [
    'body, headers and query of GitHub',
    ['githubTrigger', { events: ['push'], owner: 'o', repository: 'r' }, 1],
    'Object.keys($json).join() + $json.body.ref + $json.headers["x-github-event"]',
    CALL,
    ['body,headers,querymainpush'],
  ],
  [
    'nothing of the first call of GitHub',
    ['githubTrigger', { events: ['push'], owner: 'o', repository: 'r' }, 1],
    '$json.body.zen',
    { ...CALL, body: { hook_id: 1, zen: 'Speak like a human.' } },
    [],
  ],
  [
    'answers by their questions',
    ['typeformTrigger', { formId: 'f' }, 1],
    'JSON.stringify($json)',
    FORM,
    ['{"Your [field:a] name":"Ada","Size":"Large"}'],
  ],
  [
    'answers by their questions beside the rest',
    ['typeformTrigger', { formId: 'f', onlyAnswers: false }, 1],
    '$json.event_type + $json.form_response.answers.Size',
    FORM,
    ['form_responseLarge'],
  ],
  [
    'answers by their ids',
    ['typeformTrigger', { formId: 'f', simplifyAnswers: false }, 1.1],
    '$json.f1.text',
    FORM,
    ['Ada'],
  ],
  [
    'the event of Slack',
    ['slackTrigger', { trigger: ['message'], channelId: { __rl: true, mode: 'id', value: 'C1' } }, 1],
    '$json.text',
    SLACK,
    ['Hi'],
  ],
  [
    'no event of another channel',
    ['slackTrigger', { trigger: ['message'], channelId: 'C2' }, 1],
    '$json.text',
    SLACK,
    [],
  ],
  [
    'no event of Slack that is not chosen, or of an ignored user',
    ['slackTrigger', { trigger: ['app_mention'], watchWorkspace: true, options: { userIds: ['U1'] } }, 1],
    '$json.text',
    SLACK,
    [],
  ],
  [
    'the changes of WhatsApp',
    ['whatsAppTrigger', {}, 1],
    '$json.field + ($json.messages?.length ?? 0)',
    WHATSAPP,
    ['messages1', 'messages0'],
  ],
  [
    'no changes of WhatsApp that are not chosen',
    ['whatsAppTrigger', { updates: ['account_update'] }, 1],
    '$json.field',
    WHATSAPP,
    [],
  ],
  [
    'an event of HubSpot with the id of its contact',
    ['hubspotTrigger', { eventsUi: { eventValues: [{ name: 'contact.propertyChange', property: 'email' }] } }, 1],
    '$json.contactId + $json.propertyName',
    HUBSPOT,
    ['7email'],
  ],
  [
    'no event of HubSpot that is not chosen',
    [
      'hubspotTrigger',
      {
        eventsUi: {
          eventValues: [{ name: 'contact.propertyChange', property: 'phone' }, { name: 'contact.creation' }],
        },
      },
      1,
    ],
    '$json.contactId',
    HUBSPOT,
    [],
  ],
  [
    'no statuses of WhatsApp',
    ['whatsAppTrigger', { options: { messageStatusUpdates: ['failed'] } }, 1],
    '$json.messages[0].text.body',
    WHATSAPP,
    ['Hi'],
  ],
])('a node behind a trigger of n8n gets %s', async (_shows, trigger, value, input, expected) => {
  expect(await runBehindTrigger(trigger, value, input)).toEqual(expected);
});
