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

test('a file of a page is that of the item, and what an ending gives', async () => {
  const fields = { values: [{ fieldLabel: 'Your CV', fieldType: 'file' }] };
  const { definition, triggers } = planN8nImport({
    nodes: [
      node('Start', 'formTrigger', { formTitle: 'Job', formFields: { values: [{ fieldLabel: 'Name' }] } }, 2.3),
      node('Page', 'form', { formFields: fields, options: { formTitle: 'CV' } }, 2.3),
      node('End', 'form', { operation: 'completion', respondWith: 'returnBinary', inputDataFieldName: 'Your_CV' }, 2.3),
    ],
    connections: chain('Start', 'Page', 'End'),
  });
  const of = await buildForm(triggers.find(({ kind }) => kind === 'form')?.settings, { definition });
  const browser = new Browser();
  const { location } = await fillIn(browser, of.page, { name: 'Ada' });
  const page = await until(async () => {
    const { text } = await browser.go('GET', location);
    return text.includes('<h1>CV</h1>') ? text : null;
  }, 'the page');
  const data = new FormData();
  for (const [name, value] of Object.entries(hiddenFields(page))) data.append(name, value);
  data.append('your_cv', new File(['text of it'], 'cv.txt', { type: 'text/plain' }));
  const encoded = new Response(data);
  const headers = {
    'content-type': encoded.headers.get('content-type') ?? '',
    cookie: `weft.form=${browser.cookies.get('weft.form')}`,
  };
  await call('POST', location, { raw: Buffer.from(await encoded.arrayBuffer()), headers });
  await until(
    async () => ((await browser.go('GET', location)).text.includes('Download cv.txt') ? true : null),
    'the file',
  );
  expect((await browser.go('GET', `${location}/file`)).text).toBe('text of it');
  const { rows } = await databasePool().query<{ output: unknown[] }>(
    `SELECT r.output FROM node_result r JOIN execution e ON e.id = r.execution_id WHERE e.workflow_id = $1 AND r.node_id = $2`,
    [of.workflowId, definition.nodes.find(({ name }) => name === 'Page')?.id],
  );
  expect(rows[0]?.output).toEqual([
    {
      'Your CV': { filename: 'cv.txt', mimetype: 'text/plain', size: 10 },
      submittedAt: expect.any(String),
      formMode: 'production',
      $files: { Your_CV: expect.objectContaining({ name: 'cv.txt', size: 10 }) },
    },
  ]);
});
