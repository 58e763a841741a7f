import { describe, expect, test } from 'vitest';
import { importN8n } from '../convert';

const node = (name: string, type: string, parameters: object, typeVersion = 1) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion,
  position: [0, 0],
  parameters,
});

/** The import of a form with one further node. */
function imported(parameters: object, typeVersion = 1) {
  const { definition, report } = importN8n({
    nodes: [
      node('Trigger', 'formTrigger', { formTitle: 'Order', responseMode: 'lastNode' }, 2.2),
      node('Page', 'form', parameters, typeVersion),
    ],
    connections: { Trigger: { main: [[{ node: 'Page', type: 'main', index: 0 }]] } },
  });
  const entry = report.find((one) => one.node === 'Page');
  return { definition, entry, trigger: report.find((one) => one.node === 'Trigger') };
}

describe('a page', () => {
  const formFields = {
    values: [
      { fieldLabel: 'Your name', fieldType: 'text', requiredField: true },
      { fieldLabel: 'Age', fieldType: 'number' },
      {
        fieldLabel: 'Colours',
        fieldType: 'dropdown',
        multiselect: true,
        fieldOptions: { values: [{ option: 'red' }, { option: 'blue' }] },
      },
      { fieldLabel: 'Source', fieldType: 'hiddenField', fieldValue: 'mail' },
    ],
  };

  test('waits for the visitor, and gives the item of n8n', () => {
    const options = { formTitle: '=For {{ $json.name }}', formDescription: 'One<br>two', buttonLabel: 'Next' };
    const { definition, entry, trigger } = imported({ formFields, options });
    const page = definition.nodes.find(({ type }) => type === 'form_page');
    expect(page?.config).toEqual({
      title: 'For {{ $json.name }}',
      description: 'One\ntwo',
      buttonText: 'Next',
      form: {
        fields: [
          { name: 'your_name', label: 'Your name', kind: 'text', required: true },
          { name: 'age', label: 'Age', kind: 'number' },
          { name: 'colours', label: 'Colours', kind: 'multiselect', options: ['red', 'blue'] },
        ],
      },
    });
    const item = definition.nodes.find(({ name }) => name === 'Page');
    const asked = [
      { label: 'Your name', type: 'text', name: 'your_name' },
      { label: 'Age', type: 'number', name: 'age' },
      { label: 'Colours', type: 'dropdown', name: 'colours' },
      { label: 'Source', type: 'hiddenField', value: 'mail' },
    ];
    expect(item?.config['expression']).toBe(
      `[{ ...n8n.formItem(1, { asked: ${JSON.stringify(asked)}, given: input }), ` +
        `submittedAt: DateTime.now().toISO(), formMode: $execution.mode }]`,
    );
    expect(entry).toMatchObject({ outcome: 'converted', message: 'Its texts are shown without HTML.' });
    expect(trigger?.message).not.toContain('answered at once');
  });

  test('reads fields that are written as JSON', () => {
    const json = JSON.stringify([{ fieldLabel: 'Size', fieldType: 'text' }]);
    const { definition, entry } = imported({ defineForm: 'json', jsonOutput: json });
    expect(entry?.outcome).toBe('converted');
    expect(definition.nodes.find(({ type }) => type === 'form_page')?.config).toEqual({
      form: { fields: [{ name: 'size', label: 'Size', kind: 'text' }] },
      buttonText: 'Submit',
    });
  });

  test.each([
    [{ defineForm: 'json', jsonOutput: '=[{ "fieldLabel": {{ $json.label }} }]' }],
    [{ formFields: { values: [{ fieldLabel: '={{ $json.label }}' }] } }],
    [{ formFields: { values: [{ fieldLabel: 'A', fieldOptions: { values: [{ option: '={{ $json.a }}' }] } }] } }],
  ])('computes fields before it is shown: %j', (parameters) => {
    const { definition, entry } = imported(parameters);
    expect(entry?.outcome).toBe('converted');
    const page = definition.nodes.find(({ type }) => type === 'form_page');
    expect(page?.config).toMatchObject({ form: { fields: '{{ input.fields }}' } });
    const before = definition.connections.find(({ targetNode }) => targetNode === page?.id)?.sourceNode;
    expect(definition.nodes.find(({ id }) => id === before)?.config['expression']).toContain('n8n.formFields(1,');
  });

  test.each([
    [{ fieldType: 'html', html: '<b>x</b>' }, 'it is HTML'],
    [{ fieldType: 'file', fieldLabel: 'CV', multipleFiles: true }, 'one file in each field'],
    [{ fieldType: 'text', fieldLabel: 'A', defaultValue: 'x' }, 'Its fields are empty at first'],
  ])('says what is not as in n8n: %j', (field, task) => {
    const { entry } = imported({ formFields: { values: [field] } });
    expect([entry?.outcome, entry?.message]).toEqual(['partly', expect.stringContaining(task)]);
  });
});

describe('an ending', () => {
  const endingOf = (parameters: object) => {
    const { definition, entry } = imported({ operation: 'completion', ...parameters });
    return { config: definition.nodes.find(({ type }) => type === 'form_ending')?.config, entry };
  };

  test('shows a text', () => {
    const { config, entry } = endingOf({ completionTitle: 'Done', completionMessage: '=For {{ $json.name }}' });
    expect(config).toEqual({ title: 'Done', message: 'For {{ $json.name }}' });
    expect(entry?.outcome).toBe('converted');
  });

  test('leads to another address', () => {
    expect(endingOf({ respondWith: 'redirect', redirectUrl: 'https://shop.example' }).config).toEqual({
      show: 'redirect',
      url: 'https://shop.example',
    });
    expect(endingOf({ respondWith: 'redirect', redirectUrl: '' }).entry?.outcome).toBe('partly');
  });

  test('shows HTML as it is', () => {
    expect(endingOf({ respondWith: 'showText', responseText: '<p>Hello</p>' }).config).toEqual({
      show: 'html',
      html: '<p>Hello</p>',
    });
    const { config } = endingOf({ respondWith: 'showText', responseText: '=<p>{{ $json.html }}</p>' });
    expect(config).toEqual({ show: 'html', html: '{{ n8n.text("<p>", () => ($json.html), "</p>") }}' });
  });

  test('gives a file', () => {
    const { config, entry } = endingOf({ respondWith: 'returnBinary', completionTitle: 'Here' });
    expect(config).toEqual({ show: 'file', title: 'Here', file: '{{ [input].flat()[0]?.$files?.["data"] }}' });
    expect(entry?.message).toContain('Check which file it gives');
  });
});
