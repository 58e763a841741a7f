// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { FieldSchema } from '../model/field-schema';
import { buildExecutionVariables } from '../model/preview-expression';
import { PreviewDataContext, type PreviewData } from '../preview-context';
import { SchemaForm } from '../SchemaForm';
import { findInputLists } from './model/input-lists';
import { groupPickableFields } from './model/pickable-fields';

afterEach(cleanup);

const list: FieldSchema = { type: 'string', title: 'Items', 'x-editor': 'list' };
const sort: FieldSchema = {
  required: ['items', 'by'],
  properties: {
    items: list,
    by: {
      type: 'array',
      title: 'Sort by',
      'x-editor': 'rows',
      items: {
        type: 'object',
        properties: { field: { type: 'string', title: 'Field', 'x-editor': 'item-field', 'x-list': 'items' } },
      },
    },
  },
};
const aggregate: FieldSchema = {
  required: ['items'],
  properties: {
    items: list,
    groupBy: { type: 'array', title: 'Group by', 'x-editor': 'item-fields', 'x-list': 'items' },
    measures: {
      type: 'array',
      title: 'Measures',
      'x-editor': 'measures',
      'x-list': 'items',
      items: { properties: { operation: { enum: ['count', 'sum', 'list'], 'x-labels': { sum: 'Sum' } } } },
    },
  },
};
const merge: FieldSchema = {
  properties: {
    left: { ...list, title: 'Left', 'x-list-position': 0 },
    right: { ...list, title: 'Right', 'x-list-position': 1 },
  },
};
const orders = Array.from({ length: 1000 }, (_, id) => ({ id, price: id * 2, customer: { name: 'Ada' } }));
const answer = { status: 200, headers: { 'set-cookie': ['a', 'b'] }, body: { items: orders, total: 1000 } };

const dataWith = (input: unknown, more: Partial<PreviewData> = {}): PreviewData => ({
  scope: { input, nodes: { call: input }, execution: buildExecutionVariables(undefined) },
  names: { call: 'Call API' },
  inputFrom: ['Call API'],
  hasData: input !== undefined,
  isPartial: false,
  ...more,
});

function Form({ schema, preview, initial = {} }: { schema: FieldSchema; preview: PreviewData; initial?: object }) {
  const [value, setValue] = useState<Record<string, unknown>>({ ...initial });
  return (
    <MantineProvider env="test">
      <PreviewDataContext value={preview}>
        <SchemaForm schema={schema} value={value} errors={new Map()} onChange={setValue} />
      </PreviewDataContext>
      <output data-testid="value">{JSON.stringify(value)}</output>
    </MantineProvider>
  );
}
const value = () => JSON.parse(screen.getByTestId('value').textContent);
async function pick(button: string, option: string) {
  fireEvent.click(screen.getByRole('button', { name: new RegExp(`^${button}: (?!field|use)`) }));
  fireEvent.click(await screen.findByRole('option', { name: option, hidden: true }));
}

describe('the list of a list node', () => {
  it('is the only list of what arrives, said in a sentence, with its first rows', async () => {
    render(<Form schema={sort} preview={dataWith(answer)} />);
    expect(value()).toEqual({ items: 'input.body.items' });
    const items = screen.getByRole('group', { name: 'Items' });
    expect(items.textContent).toContain('Works on 1,000 items from “Call API”, in body.items.');
    expect(within(await screen.findByRole('table')).getAllByRole('row')).toHaveLength(4);
    expect(screen.queryByText(/^= /)).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Change Items' }));
    await pick('Items: field', 'input.body.items');
    expect(value()).toEqual({ items: 'input.body.items' });
  });

  it('stays empty where several lists arrive, none is known, or somebody has chosen', () => {
    const { unmount } = render(<Form schema={sort} preview={dataWith({ a: [1], b: [2] })} />);
    expect(value()).toEqual({});
    expect(screen.getByText('What arrives has 2 lists. Pick one.')).toBeTruthy();
    unmount();
    render(<Form schema={sort} preview={dataWith(undefined)} initial={{ items: 'nodes.call' }} />);
    expect(value()).toEqual({ items: 'nodes.call' });
    cleanup();
    render(<Form schema={sort} preview={dataWith(undefined)} />);
    expect(screen.getByText(/What “Call API” gives is not known yet/)).toBeTruthy();
  });

  it('of a merge are the two lists that arrive', () => {
    render(<Form schema={merge} preview={dataWith({ a: [1], b: { body: [2] } })} />);
    expect(value()).toEqual({ left: 'input.a', right: 'input.b.body' });
  });

  it('of a node that has not run is said to be unknown', () => {
    const preview = dataWith([{ id: 1 }], { inputFrom: ['Filter'], expected: new Set(['input']) });
    render(<Form schema={sort} preview={preview} />);
    expect(value()).toEqual({ items: 'input' });
    expect(screen.getByRole('group', { name: 'Items' }).textContent).toContain('has not run yet');
  });
});

describe('fields of items', () => {
  it('are picked for sorting, and a further row only when it is wanted', async () => {
    render(<Form schema={sort} preview={dataWith(orders)} />);
    await screen.findByRole('table');
    await pick('Field', 'customer.name');
    expect(value().by).toEqual([{ field: 'customer.name' }]);
    fireEvent.click(screen.getByRole('button', { name: 'Add' }));
    expect(value().by).toHaveLength(2);
  });

  it('are picked for groups and measures, which get an operation and a name', async () => {
    render(<Form schema={aggregate} preview={dataWith(orders)} />);
    await screen.findByRole('table');
    await pick('Group by 1', 'customer.name');
    await pick('Field of measure 1', 'price');
    expect(value()).toMatchObject({
      groupBy: ['customer.name'],
      measures: [{ name: 'sum_price', operation: 'sum', field: 'price' }],
    });
    fireEvent.change(screen.getByRole('textbox', { name: 'Name 1' }), { target: { value: 'revenue' } });
    await pick('Field of measure 1', 'id');
    expect(value().measures).toEqual([{ name: 'revenue', operation: 'sum', field: 'id' }]);
    fireEvent.click(screen.getByRole('button', { name: 'Add measure' }));
    expect(value().measures[1]).toEqual({ name: 'count', operation: 'count' });
  });
});

it('finds the lists of the content of a message, not those of its headers or of its items', () => {
  expect(findInputLists(answer, 'jsonata')).toEqual(['input.body.items']);
  expect(findInputLists([[1], [2]], 'jsonata')).toEqual(['input']);
  expect(findInputLists({ headers: ['a'], rows: [{ lines: [1] }] }, 'jsonata')).toEqual([
    'input.headers',
    'input.rows',
  ]);
  expect(findInputLists('text', 'jsonata')).toEqual([]);
});

it('groups what can be picked by the titles of nodes, the content of a message first', () => {
  const { scope, ...preview } = dataWith(answer, { notes: { 'nodes.call': 'leaves out “Filter”, which has not run' } });
  const [input, call] = groupPickableFields({ ...scope }, preview);
  expect(input?.label).toBe('Input from Call API');
  expect(input?.fields.map(({ name }) => name).filter((name) => ['body', 'headers', 'status'].includes(name))).toEqual([
    'body',
    'status',
    'headers',
  ]);
  expect(call).toMatchObject({ label: 'Call API', note: 'leaves out “Filter”, which has not run' });
});
