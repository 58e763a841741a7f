import { expect, it } from 'vitest';
import type { WorkflowTemplate } from '@/contract/workflows/template';
import { emptySetUpDraft, setUpProblems } from './set-up-form';

const value = (id: string, kind: 'url' | 'email' | 'workflow' | 'text') => ({
  id,
  label: id,
  help: '',
  kind,
  example: 'x',
});
const TEMPLATE: WorkflowTemplate = {
  id: 'one',
  name: 'One',
  description: 'A template.',
  purpose: 'pattern',
  services: [],
  words: [],
  credentials: [{ id: 'api', label: 'Key', help: '', types: ['api_key'], connectorId: null, nodes: ['a'] }],
  values: [value('site', 'url'), value('team', 'email'), value('child', 'workflow'), value('word', 'text')],
  table: { name: 'Rows', columns: [] },
  triggers: [],
  definition: { nodes: [], connections: [] },
};

it('names every field that is empty, except for the table, which is created', () => {
  expect(Object.keys(setUpProblems(TEMPLATE, emptySetUpDraft(TEMPLATE)))).toEqual([
    'credentials.api',
    'values.site',
    'values.team',
    'values.child',
    'values.word',
  ]);
});

it('names addresses that are none, and no table', () => {
  const form = {
    name: ' ',
    credentials: { api: 'cred_1' },
    labels: {},
    values: { site: 'example.com', team: 'nobody', child: 'wf_1', word: 'x' },
    tableId: null,
    secret: '',
  };
  expect(Object.keys(setUpProblems(TEMPLATE, form))).toEqual(['name', 'tableId', 'values.site', 'values.team']);
  const right = {
    ...form,
    name: 'One',
    tableId: 'new',
    values: { ...form.values, site: 'https://example.com', team: 'a@b.example' },
  };
  expect(setUpProblems(TEMPLATE, right)).toEqual({});
});
