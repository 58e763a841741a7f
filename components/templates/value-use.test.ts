import { expect, test } from 'vitest';
import type { WorkflowTemplate } from '@/contract/workflows/template';
import { applyTemplate } from './set-up';
import { fillSiblings, findTemplateValueUse } from './value-use';

const at = { x: 0, y: 0 };
const call = (operation: string, parameters: object) => ({ connectorId: 'google', operation, parameters });
const value = (id: string) => ({ id, label: id, help: '', kind: 'text' as const, example: 'x' });
const TEMPLATE = {
  id: 'one',
  credentials: [
    {
      id: 'google',
      label: 'Google',
      help: '',
      types: ['oauth2'],
      connectorId: 'google',
      nodes: ['each.write', 'poll'],
    },
    { id: 'model', label: 'Model', help: '', types: ['llm'], connectorId: null, nodes: ['ask'] },
  ],
  values: ['book', 'sheet', 'model', 'folder', 'words'].map(value),
  triggers: [
    {
      kind: 'poll',
      settings: {
        name: 'New file',
        node: { type: 'connector', config: call('drive.search', { folder: '[[folder]]' }) },
      },
    },
  ],
  definition: {
    nodes: [
      { id: 'ask', type: 'llm', position: at, config: { model: '[[model]]', prompt: 'About [[words]]' } },
      {
        id: 'each',
        type: 'for_each',
        position: at,
        config: {
          body: {
            nodes: [
              {
                id: 'write',
                type: 'connector',
                position: at,
                config: call('sheets.append', { spreadsheet: '[[book]]', sheet: '[[sheet]]', limit: 5 }),
              },
            ],
            connections: [],
          },
        },
      },
    ],
    connections: [],
  },
} as unknown as WorkflowTemplate;

test('a value that fills in a field is known by it, with its node, its siblings and its account', () => {
  expect(findTemplateValueUse(TEMPLATE, 'sheet')).toEqual({
    nodeType: 'connector',
    connectorId: 'google',
    operation: 'sheets.append',
    field: 'sheet',
    siblings: { spreadsheet: '[[book]]', sheet: '[[sheet]]', limit: 5 },
    credentialNeedId: 'google',
  });
  expect(findTemplateValueUse(TEMPLATE, 'folder')).toMatchObject({ field: 'folder', credentialNeedId: 'google' });
  expect(findTemplateValueUse(TEMPLATE, 'model')).toMatchObject({ nodeType: 'llm', field: 'model' });
  // A part of a text is written.
  expect(findTemplateValueUse(TEMPLATE, 'words')).toBeUndefined();
});

test('a list depends on what was filled in before', () => {
  const { siblings = {} } = findTemplateValueUse(TEMPLATE, 'sheet') ?? {};
  expect(fillSiblings(siblings, {})).toEqual({ limit: 5 });
  expect(fillSiblings(siblings, { book: 'b1', sheet: '' })).toEqual({ spreadsheet: 'b1', limit: 5 });
});

test('nodes and polls keep what picked values were called', () => {
  const { definition, triggers } = applyTemplate(TEMPLATE, {
    credentials: { google: 'cred_1', model: 'cred_2' },
    values: { book: 'b1', sheet: 's1', model: 'm1', folder: 'f1', words: 'w' },
    labels: { book: 'Orders', folder: 'Invoices', words: 'never' },
  });
  const [ask, each] = definition.nodes;
  expect(ask).not.toHaveProperty('labels');
  const body = each?.config['body'] as WorkflowTemplate['definition'] | undefined;
  expect(body?.nodes[0]).toMatchObject({
    config: { parameters: { spreadsheet: 'b1', sheet: 's1' } },
    labels: { 'parameters.spreadsheet': 'Orders' },
  });
  expect(triggers[0]).toMatchObject({ settings: { node: { labels: { 'parameters.folder': 'Invoices' } } } });
});
