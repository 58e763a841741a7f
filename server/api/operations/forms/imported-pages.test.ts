import { expect, test } from 'vitest';
import { planN8nImport } from '@/import/n8n';
import type { ExecutionResponse } from '@/contract/execution';
import { databasePool } from '@/server/platform/db/client';
import { Browser } from '@/server/testing/browser';
import { useDatabase } from '@/server/testing/database';
import { call } from '@/server/testing/factories';
import { buildForm, fillIn, post, tokenIn } from '@/server/testing/forms';
import { until } from '@/server/testing/runs';
import { useWorker } from '@/server/testing/worker';

useDatabase();
useWorker({ concurrency: 10 });

const node = (name: string, type: string, parameters: object, typeVersion: number) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion,
  position: [0, 0],
  parameters,
});

const chain = (...names: string[]) =>
  Object.fromEntries(
    names.slice(1).map((next, index) => [names[index], { main: [[{ node: next, type: 'main', index: 0 }]] }]),
  );

/**
 * A form of n8n with a page whose fields are written, one whose fields are computed, and an ending. What its nodes give
 * was recorded in n8n 2.41.1, with the same answers.
 */
const FORM_OF_N8N = {
  nodes: [
    node('Start', 'formTrigger', { formTitle: 'Order', formFields: { values: [{ fieldLabel: 'Your name' }] } }, 2.3),
    node(
      'Size',
      'form',
      {
        formFields: {
          values: [
            {
              fieldLabel: 'Size of shirt',
              fieldType: 'dropdown',
              fieldOptions: { values: [{ option: 'S' }, { option: 'M' }] },
            },
            { fieldLabel: 'Note', fieldType: 'text' },
            { fieldLabel: 'Count', fieldType: 'number' },
            { fieldLabel: 'Extras', fieldType: 'checkbox', fieldOptions: { values: [{ option: 'gift' }] } },
            { fieldLabel: 'Day', fieldType: 'date' },
            { fieldLabel: 'Kind', fieldType: 'radio', fieldOptions: { values: [{ option: 'a' }] } },
            { fieldLabel: 'Long', fieldType: 'textarea' },
            { fieldName: 'Way', fieldType: 'hiddenField', fieldValue: 'web' },
          ],
        },
        options: { formTitle: '=For {{ $json["Your name"] }}' },
      },
      2.3,
    ),
    node(
      'Colour',
      'form',
      {
        defineForm: 'json',
        jsonOutput:
          '=[{"fieldLabel": "Colour for {{ $json[\'Size of shirt\'] }}", "fieldType": "radio", "fieldOptions": {"values": {{ ["red", "blue"].map((option) => ({ option })) }}}}]',
        options: { formTitle: '=Colour of {{ $("Start").first().json["Your name"] }}' },
      },
      2.3,
    ),
    node(
      'End',
      'form',
      {
        operation: 'completion',
        completionTitle: 'Done',
        completionMessage: '={{ $("Size").first().json["Size of shirt"] }}, {{ $json["Colour for M"] }}',
      },
      2.3,
    ),
  ],
  connections: chain('Start', 'Size', 'Colour', 'End'),
};

const hiddenFields = (text: string) => ({
  _token: tokenIn(text),
  _page: /name="_page" value="([^"]*)"/.exec(text)?.[1] ?? '',
  _website: '',
});

test('pages of n8n ask the visitor, and give its items', async () => {
  const { definition, triggers } = planN8nImport(FORM_OF_N8N);
  const of = await buildForm(triggers.find(({ kind }) => kind === 'form')?.settings, { definition });
  const browser = new Browser();
  const sent = await fillIn(browser, of.page, { your_name: 'Ada' });
  const shown = (title: string) =>
    until(async () => {
      const answer = await browser.go('GET', sent.location);
      return answer.text.includes(`<h1>${title}</h1>`) ? answer.text : null;
    }, title);
  const size = await shown('For Ada');
  await post(browser, sent.location, { ...hiddenFields(size), size_of_shirt: 'M', note: ' soon ', long: 'a\r\nb' });
  const colour = await shown('Colour of Ada');
  expect(colour).toContain('Colour for M');
  await post(browser, sent.location, { ...hiddenFields(colour), field_1: 'blue' });
  expect(await shown('Done')).toContain('M, blue');
  const { rows } = await databasePool().query<{ id: string }>('SELECT id FROM execution WHERE workflow_id = $1', [
    of.workflowId,
  ]);
  const { body: run } = await call<ExecutionResponse>('GET', `/api/executions/${rows[0]?.id}`, {
    token: of.user.token,
  });
  const outputOf = (name: string) => {
    const { id } = definition.nodes.find((one) => one.name === name) ?? {};
    return run.nodeResults.find(({ nodeId }) => nodeId === id)?.output;
  };
  const submitted = {
    submittedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/),
    formMode: 'production',
  };
  expect(outputOf('Size')).toEqual([
    { 'Size of shirt': 'M', Note: 'soon', Count: 0, Extras: [], Day: '', Long: 'a\r\nb', Way: 'web', ...submitted },
  ]);
  expect(outputOf('Colour')).toEqual([{ 'Colour for M': 'blue', ...submitted }]);
  expect(outputOf('End')).toEqual(outputOf('Colour'));
});
