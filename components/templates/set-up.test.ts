import { describe, expect, it } from 'vitest';
import type { WorkflowTemplate } from '@/contract/workflows/template';
import { listSkippedTasks, applyTemplate } from './set-up';

const at = { x: 0, y: 0 };
const TEMPLATE: WorkflowTemplate = {
  id: 'one',
  name: 'One',
  description: 'A template.',
  purpose: 'pattern',
  services: [],
  words: [],
  credentials: [
    { id: 'api', label: 'API key', help: '', types: ['api_key'], connectorId: null, nodes: ['each.call', 'poll'] },
  ],
  values: [{ id: 'host', label: 'Host', help: 'Its address.', kind: 'text', example: 'api.example.com' }],
  table: { name: 'Rows', columns: [] },
  triggers: [
    { kind: 'webhook', settings: { path: 'in', verification: { kind: 'provider', provider: 'github' } } },
    {
      kind: 'poll',
      settings: {
        name: 'News',
        node: { type: 'http_request', config: { url: 'https://[[host]]/news' } },
        items: 'input.body',
        key: 'item.id',
        language: 'jsonata',
        deliver: 'each',
        first: 'skip',
        enabled: true,
      },
    },
  ],
  definition: {
    nodes: [
      {
        id: 'each',
        type: 'for_each',
        name: 'Each',
        position: at,
        config: {
          items: '[[1, 2]]',
          body: {
            nodes: [
              {
                id: 'call',
                type: 'http_request',
                name: 'Call',
                position: at,
                config: { url: 'https://[[host]]/{{ input.item }}', method: 'POST', body: ['[[host]]', 'rest'] },
              },
            ],
            connections: [],
          },
        },
      },
      { id: 'keep', type: 'table', position: at, config: { tableId: 'own-table', operation: 'insert' } },
    ],
    connections: [],
  },
};

describe('a template that is set up', () => {
  const whole = { credentials: { api: 'cred_1' }, values: { host: 'a.example' }, tableId: 'tbl_1', secret: 'shared' };

  it('has every answer in its place, also inside loops', () => {
    const { definition, triggers } = applyTemplate(TEMPLATE, whole);
    expect(definition.nodes).toMatchObject([
      {
        config: {
          items: '[[1, 2]]',
          body: {
            nodes: [
              {
                credentialId: 'cred_1',
                config: { url: 'https://a.example/{{ input.item }}', method: 'POST', body: ['a.example', 'rest'] },
              },
            ],
          },
        },
      },
      { config: { tableId: 'tbl_1', operation: 'insert' } },
    ]);
    expect(definition.notes).toBeUndefined();
    expect(triggers).toMatchObject([
      { kind: 'webhook', settings: { verification: { secret: 'shared' } } },
      { kind: 'poll', settings: { node: { credentialId: 'cred_1', config: { url: 'https://a.example/news' } } } },
    ]);
  });

  it('lacks what was skipped, and says so in a note', () => {
    const { definition, triggers } = applyTemplate(TEMPLATE, { credentials: {}, values: {} });
    const [each, keep] = definition.nodes;
    expect(each?.config.body).toMatchObject({ nodes: [{ config: { method: 'POST', body: ['rest'] } }] });
    expect(JSON.stringify(each?.config.body)).not.toContain('url');
    expect(keep?.config).toEqual({ operation: 'insert' });
    const [note] = definition.notes ?? [];
    expect(note?.text).toContain('1. Choose the credential *API key* of *Call*, the poll.');
    expect(note?.text).toContain('2. Enter *Host*: Its address.');
    expect(note?.text).toContain('3. Choose the table *Rows* in its nodes.');
    expect(triggers.map(({ kind }) => kind)).toEqual(['webhook']);
    // An unknown secret: the webhook refuses every call.
    expect(JSON.stringify(triggers)).toMatch(/"secret":"[0-9a-f]{32}"/);
  });

  it('has nothing left to do when everything was answered', () => {
    expect(listSkippedTasks(TEMPLATE, whole)).toEqual([]);
  });
});
