// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { createTRPCClient, httpLink } from '@trpc/client';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FieldChoice, ListChoicesRequest, ListChoicesResponse } from '@/contract/choices';
import type { AppRouter } from '@/server/api/http/trpc/trpc';
import { TRPCProvider } from '@/components/client/trpc';
import type { FieldSchema } from '../model/field-schema';
import { buildExecutionVariables } from '../model/preview-expression';
import { PreviewDataContext } from '../preview-context';
import { SchemaForm } from '../SchemaForm';
import { ChoiceTargetContext, type ChoiceTarget } from './choice-target';

// happy-dom has no document.fonts, which autosizing text areas use.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

const schema: FieldSchema = {
  type: 'object',
  required: ['tableId', 'row'],
  properties: {
    operation: { type: 'string', enum: ['insert', 'update'] },
    tableId: { type: 'string', title: 'Table', 'x-choices': { source: 'tables', dependsOn: [], search: true } },
    row: {
      title: 'Row',
      'x-alternative': 'rows',
      'x-columns': { source: 'columns', dependsOn: ['tableId'], isWholeWhen: { operation: ['insert'] } },
    },
    rows: { title: 'Rows', 'x-editor': 'json', 'x-when': { operation: ['insert'] } },
    board: { type: 'integer', title: 'Board', 'x-choices': { source: 'numbers', dependsOn: [], search: true } },
    marks: {
      type: 'array',
      title: 'Marks',
      items: { type: 'string' },
      'x-choices': { source: 'numbers', dependsOn: [], search: true },
    },
    sprint: { type: 'string', title: 'Sprint', 'x-choices': { source: 'numbers', dependsOn: [], search: true } },
  },
};

const ownerSchema: FieldSchema = {
  type: 'object',
  properties: {
    owner: {
      type: 'string',
      title: 'Owner',
      'x-choices': { source: 'tables', dependsOn: [], search: true, isFirstUsual: true },
    },
  },
};

const linesSchema: FieldSchema = {
  type: 'object',
  properties: {
    lines: {
      type: 'array',
      title: 'Lines',
      items: { type: 'object' },
      'x-columns': { source: 'columns', dependsOn: [] },
    },
  },
};

const COLUMNS: FieldChoice[] = [
  { value: 'email', label: 'email', type: 'text', isRequired: true },
  { value: 'amount', label: 'Amount', type: 'number' },
  { value: 'paid', label: 'Paid', type: 'boolean' },
  { value: 'at', label: 'At', type: 'timestamp' },
  { value: 'size', label: 'Size', type: 'options', options: [{ value: 's', label: 'Small' }] },
];

type Answer = ListChoicesResponse | { refusal: string; field?: string };
/** The service: what it was asked for, and how it answers. */
let asked: ListChoicesRequest[];
let answers: (request: ListChoicesRequest) => Answer;
/** What the service waits for before it answers. */
let answersWait: Promise<undefined> | undefined;

beforeEach(() => {
  asked = [];
  answersWait = undefined;
  answers = ({ source, search = '' }) => {
    if (source === 'columns') return { data: COLUMNS, nextCursor: null };
    if (source === 'numbers') return { data: [{ value: 37, label: 'Thirty-seven' }], nextCursor: null };
    const all = [
      { value: 'tbl_1', label: 'Customers' },
      { value: 'tbl_2', label: 'Orders', hint: 'of this year' },
    ];
    return { data: all.filter(({ label }) => label.toLowerCase().includes(search.toLowerCase())), nextCursor: null };
  };
});
afterEach(cleanup);

async function answerCall(_: unknown, init?: { body?: unknown }): Promise<Response> {
  const { body } = JSON.parse(String(init?.body)) as { body: ListChoicesRequest };
  asked.push(body);
  await answersWait;
  const answer = answers(body);
  if (!('refusal' in answer)) return Response.json({ result: { data: answer } });
  const details = answer.field === undefined ? [] : [{ field: answer.field, message: answer.refusal }];
  const problem = { code: 'FORBIDDEN', message: answer.refusal, details };
  const error = { message: 'no', code: -32003, data: { code: 'FORBIDDEN', httpStatus: 403, problem } };
  return Response.json({ error }, { status: 403 });
}

const client = createTRPCClient<AppRouter>({
  links: [httpLink({ url: 'http://service.example/api/trpc', fetch: answerCall })],
});

interface HarnessProps {
  initial?: Record<string, unknown>;
  input?: unknown;
  target?: Partial<ChoiceTarget>;
  fields?: FieldSchema;
}

function Harness({ initial = {}, input, target, fields = schema }: HarnessProps) {
  const [value, setValue] = useState(initial);
  const [labels, setLabels] = useState<Record<string, string>>({});
  const [queries] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }));
  const preview = {
    scope: { input, nodes: {}, execution: buildExecutionVariables(undefined) },
    hasData: input !== undefined,
    isPartial: false,
  };
  const onLabel = (path: string, label: string | undefined) => setLabels(label === undefined ? {} : { [path]: label });
  return (
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <TRPCProvider trpcClient={client} queryClient={queries}>
          <PreviewDataContext value={preview}>
            <ChoiceTargetContext value={{ nodeType: 'table', labels, onLabel, ...target }}>
              <SchemaForm schema={fields} value={value} errors={new Map()} onChange={setValue} />
            </ChoiceTargetContext>
          </PreviewDataContext>
          <output data-testid="value">{JSON.stringify(value)}</output>
          <output data-testid="labels">{JSON.stringify(labels)}</output>
        </TRPCProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

const read = (id: string): unknown => JSON.parse(screen.getByTestId(id).textContent);
const table = () => screen.getByRole('group', { name: /^Table/ });
const row = () => screen.getByRole('group', { name: /^Row/ });
const openList = async () => {
  fireEvent.click(await screen.findByRole('button', { name: /^Table:/ }));
  return screen.findByRole('option', { name: 'Customers' });
};

test('rows are filled in by their columns, added and removed; or one expression gives them', async () => {
  const stored = () => screen.getByTestId('value').textContent;
  render(<Harness fields={linesSchema} />);
  fireEvent.click(screen.getByRole('button', { name: 'Add a row' }));
  const first = await screen.findByRole('group', { name: 'Row 1' });
  fireEvent.change(await within(first).findByRole('textbox', { name: /^Amount/ }), { target: { value: '7' } });
  await expect.poll(stored).toBe('{"lines":[{"amount":7}]}');
  // A row that is begun says what it needs.
  expect(within(first).getByText('A new row needs a value here.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Add a row' }));
  await screen.findByRole('group', { name: 'Row 2' });
  fireEvent.click(screen.getByRole('button', { name: 'Remove row 1' }));
  await expect.poll(stored).toBe('{"lines":[{}]}');
  expect(screen.queryByRole('group', { name: 'Row 2' })).toBeNull();
  cleanup();
  render(<Harness fields={linesSchema} initial={{ lines: '{{ input.rows }}' }} />);
  expect(screen.queryByRole('button', { name: 'Add a row' })).toBeNull();
  fireEvent.click(screen.getByRole('radio', { name: 'Rows' }));
  expect(screen.getByText(/One expression gives all of them/)).toBeTruthy();
});

test('the list of the field that comes next opens, or its only or usual choice is picked', async () => {
  const value = () => screen.getByTestId('value').textContent;
  render(<Harness fields={ownerSchema} target={{ openPath: 'owner' }} />);
  await expect.poll(value).toBe('{"owner":"tbl_1"}');
  cleanup();
  render(<Harness target={{ openPath: 'sprint' }} />);
  await expect.poll(value).toBe('{"sprint":"37"}');
  cleanup();
  render(<Harness target={{ openPath: 'tableId' }} />);
  await screen.findByRole('option', { name: 'Customers' });
  expect(value()).toBe('{}');
});

test('a value is picked by its label, which is kept', async () => {
  render(<Harness />);
  expect(screen.getByText(/Pick table first/)).toBeDefined();
  fireEvent.click(await openList());
  expect(read('value')).toEqual({ tableId: 'tbl_1' });
  expect(read('labels')).toEqual({ tableId: 'Customers' });
  expect(screen.getByRole('button', { name: /^Table:/ }).textContent).toBe('Table: Customers');
  expect(screen.queryByText('tbl_1')).toBeNull();
});

test('a value is typed or computed instead, and then has no label', async () => {
  render(<Harness />);
  fireEvent.click(await openList());
  fireEvent.click(within(table()).getByRole('radio', { name: 'By id' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Table: id' }), { target: { value: 'tbl_9' } });
  expect([read('value'), read('labels')]).toEqual([{ tableId: 'tbl_9' }, {}]);
  fireEvent.click(within(table()).getByRole('radio', { name: 'Expression' }));
  expect(read('value')).toEqual({ tableId: '{{ input }}' });
  expect(screen.getByText(/An expression gives table/)).toBeDefined();
});

test('a value is a number or a text, as the field takes it', async () => {
  render(<Harness />);
  for (const field of ['Board', 'Sprint']) {
    fireEvent.click(await screen.findByRole('button', { name: new RegExp(`^${field}:`) }));
    fireEvent.click(await screen.findByRole('option', { name: 'Thirty-seven' }));
  }
  expect(read('value')).toEqual({ board: 37, sprint: '37' });
  fireEvent.click(within(screen.getByRole('group', { name: /^Board/ })).getByRole('radio', { name: 'By id' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Board: id' }), { target: { value: '84' } });
  expect(read('value')).toEqual({ board: 84, sprint: '37' });
});

test('each entry of a list is picked', async () => {
  render(<Harness initial={{ marks: ['36', ''] }} />);
  expect(screen.getAllByRole('button', { name: /^[12]:/ })).toHaveLength(2);
  fireEvent.click(screen.getByRole('button', { name: /^2:/ }));
  fireEvent.click(await screen.findByRole('option', { name: 'Thirty-seven' }));
  expect([read('value'), read('labels')]).toEqual([{ marks: ['36', '37'] }, {}]);
});

test('the source is searched, and shows more on request', async () => {
  const pages: Record<string, ListChoicesResponse> = {
    '': { data: [{ value: 'tbl_1', label: 'Customers' }], nextCursor: 'two' },
    two: { data: [{ value: 'tbl_2', label: 'Orders' }], nextCursor: null },
  };
  const search = answers;
  answers = (request) => (request.search ? search(request) : (pages[request.cursor ?? ''] ?? { refusal: 'no' }));
  render(<Harness />);
  await openList();
  fireEvent.click(screen.getByRole('option', { name: 'Show more' }));
  await screen.findByRole('option', { name: 'Orders' });
  expect(screen.queryByRole('option', { name: 'Show more' })).toBeNull();
  fireEvent.change(screen.getByRole('textbox', { name: 'Search Table' }), { target: { value: 'cust' } });
  await expect.poll(() => asked.at(-1)?.search).toBe('cust');
  await expect.poll(() => screen.queryByRole('option', { name: 'Orders' })).toBeNull();
});

test('labels and hints with HTML are shown as text', async () => {
  const label = '<img src=x onerror="alert(1)"> & <b>bold</b>';
  answers = () => ({ data: [{ value: 'tbl_1', label, hint: '<script>alert(2)</script>' }], nextCursor: null });
  render(<Harness />);
  fireEvent.click(await screen.findByRole('button', { name: /^Table:/ }));
  const option = await screen.findByRole('option', { name: new RegExp('^<img src=x') });
  expect(option.textContent).toBe(`${label}<script>alert(2)</script>`);
  fireEvent.click(option);
  expect(screen.getByRole('button', { name: /^Table:/ }).textContent).toBe(`Table: ${label}`);
  expect(document.querySelector('img, script, b')).toBeNull();
  expect(read('labels')).toEqual({ tableId: label });
});

test('a list that cannot be read says why, and is read again', async () => {
  const works = answers;
  answers = () => ({ refusal: 'This needs the permission table:read.' });
  render(<Harness />);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('This needs the permission “read table”.');
  answers = works;
  fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await openList()).toBeDefined();
});

test('a refusal of the service leads to the credential', async () => {
  answers = () => ({ refusal: 'Slack refused the call: missing_scope.', field: 'credentialId' });
  const target = { nodeType: 'connector', connectorId: 'slack', credentialId: 'cred_1' };
  const { unmount } = render(<Harness target={target} />);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('could not be read. Slack refused the call: missing_scope. Test');
  expect(
    within(alert)
      .getByRole('link', { name: /credential/ })
      .getAttribute('href'),
  ).toBe('/credentials/cred_1');
  unmount();
  answers = () => ({ refusal: 'gave no answer within 10 seconds', field: 'source' });
  render(<Harness target={target} />);
  expect((await screen.findByRole('alert')).textContent).toContain('The service gave no answer within 10 seconds.');
  expect(screen.queryByRole('link')).toBeNull();
});

test('the keyboard opens the list, moves in it, picks and leaves', async () => {
  render(<Harness />);
  const button = await screen.findByRole('button', { name: /^Table: Pick from/ });
  fireEvent.keyDown(button, { key: 'ArrowDown', code: 'ArrowDown' });
  await screen.findByRole('option', { name: 'Customers' });
  expect(button.getAttribute('aria-haspopup')).toBe('listbox');
  expect(screen.getByRole('listbox', { name: 'Table' })).toBeDefined();
  const search = screen.getByRole('textbox', { name: 'Search Table' });
  fireEvent.change(search, { target: { value: 'ord' } });
  await expect.poll(() => screen.queryByRole('option', { name: 'Customers' })).toBeNull();
  fireEvent.keyDown(search, { key: 'Enter', code: 'Enter' });
  expect([read('value'), read('labels')]).toEqual([{ tableId: 'tbl_2' }, { tableId: 'Orders' }]);
  fireEvent.keyDown(button, { key: 'ArrowDown', code: 'ArrowDown' });
  fireEvent.keyDown(await screen.findByRole('textbox', { name: 'Search Table' }), { key: 'Escape', code: 'Escape' });
  await expect.poll(() => screen.queryByRole('option')).toBeNull();
  expect(read('value')).toEqual({ tableId: 'tbl_2' });
});

test('the list says that it waits for the service', async () => {
  let release: () => void = () => undefined;
  answersWait = new Promise((resolve) => {
    release = () => resolve(undefined);
  });
  render(<Harness />);
  const button = await screen.findByRole('button', { name: /^Table: Loading the list/ });
  expect(button.getAttribute('aria-busy')).toBe('true');
  fireEvent.click(button);
  expect(await screen.findByText('Waiting for the list …')).toBeDefined();
  release();
  expect(await screen.findByRole('option', { name: 'Customers' })).toBeDefined();
});

test('the label of what is not in the list any more stays, and says so', async () => {
  const target = { nodeType: 'connector', connectorId: 'slack', credentialId: 'cred_1' };
  render(<Harness initial={{ tableId: 'C1' }} target={{ ...target, labels: { tableId: 'general' } }} />);
  expect(await screen.findByText(/“general” is not in the list any more/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Table: general' })).toBeDefined();
  expect(screen.queryByText('C1')).toBeNull();
});

test('what is not in the list any more is said without its id', async () => {
  render(<Harness initial={{ tableId: 'tbl_gone' }} />);
  expect(await screen.findByText(/What was picked is not in the list any more/)).toBeDefined();
  expect(within(table()).queryByText('tbl_gone')).toBeNull();
});

test('each column has a field of its type; required ones are marked where the row is whole', async () => {
  render(<Harness initial={{ operation: 'insert', tableId: 'tbl_1' }} />);
  const email = await screen.findByRole('textbox', { name: /^email/ });
  expect(email.getAttribute('required') ?? email.closest('[data-field]')?.textContent).toContain('*');
  fireEvent.change(email, { target: { value: 'a@b.c' } });
  fireEvent.change(screen.getByRole('textbox', { name: 'Amount' }), { target: { value: '12.5' } });
  fireEvent.click(within(screen.getByRole('radiogroup', { name: 'Paid' })).getByRole('radio', { name: 'No' }));
  const time = '2026-01-31T08:15:30';
  fireEvent.change(screen.getByLabelText('At'), { target: { value: time } });
  expect(read('value')).toMatchObject({
    row: { email: 'a@b.c', amount: 12.5, paid: false, at: new Date(time).toISOString() },
  });
  fireEvent.click(within(screen.getByRole('radiogroup', { name: 'Paid' })).getByRole('radio', { name: 'Not set' }));
  expect(read('value')).not.toHaveProperty('row.paid');
});

test('a column of a service takes its own shape of a value as JSON; one of a table does not', async () => {
  const row = { email: { title: [{ text: { content: 'Ada' } }] } };
  const initial = { operation: 'insert', tableId: 'tbl_1', row };
  const { unmount } = render(<Harness initial={initial} />);
  expect(await screen.findByText('This column takes a text.')).toBeDefined();
  unmount();
  render(
    <Harness initial={initial} target={{ nodeType: 'connector', connectorId: 'notion', credentialId: 'cred_1' }} />,
  );
  await screen.findByRole('textbox', { name: 'Amount' });
  expect(screen.queryByText('This column takes a text.')).toBeNull();
  expect(screen.getByText('Any value')).toBeDefined();
});

test('a column takes an expression in place of a value', async () => {
  render(<Harness initial={{ operation: 'insert', tableId: 'tbl_1' }} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Paid: use an expression' }));
  expect(read('value')).toMatchObject({ row: { paid: '{{ input }}' } });
});

test('empty columns are filled from the input by name, and the report says what matched', async () => {
  const input = { 'E-Mail': 'ada@example.com', AMOUNT: '7', paid: 'perhaps', other: 1 };
  render(<Harness initial={{ operation: 'insert', tableId: 'tbl_1', row: { amount: 3 } }} input={input} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Fill from input by name' }));
  expect(read('value')).toMatchObject({ row: { amount: 3, email: '{{ input.`E-Mail` }}' } });
  const report = within(row()).getByRole('status').textContent;
  for (const text of [
    '1 of 5 columns filled',
    'email← E-Mail',
    'Keptamount',
    'Paid (its field has a text',
    'Not usedother',
  ])
    expect(report).toContain(text);
});

test.each([
  [undefined, 'The input is not known yet.'],
  [[{ email: 'a' }], 'The input is a list.'],
  ['text', 'The input is a single value'],
])('without fields in the input nothing is filled: %j', async (input, sentence) => {
  render(<Harness initial={{ operation: 'insert', tableId: 'tbl_1' }} input={input} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Fill from input by name' }));
  expect(within(row()).getByRole('status').textContent).toContain(sentence);
  expect(read('value')).not.toHaveProperty('row');
});

test('values of another type and columns that are gone are said in their places', async () => {
  const stored = { email: 5, amount: 'many', at: '2026-02-30', old: 'x' };
  render(<Harness initial={{ operation: 'update', tableId: 'tbl_1', row: stored }} />);
  for (const text of ['takes a text.', 'takes a number', 'takes a time', '“old” is no column any more'])
    expect(await screen.findByText(new RegExp(text))).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Remove its value' }));
  expect(read('value')).not.toHaveProperty('row.old');
});

test('one expression stays one, and several rows are a list', async () => {
  render(
    <Harness initial={{ operation: 'insert', tableId: 'tbl_1', row: '{{ input.order }}' }} input={{ list: [1] }} />,
  );
  expect(within(row()).getByRole<HTMLInputElement>('radio', { name: 'Expression' }).checked).toBe(true);
  fireEvent.click(within(row()).getByRole('radio', { name: 'Columns' }));
  expect(within(row()).getByRole('status').textContent).toContain('One expression gives all of them');
  expect(read('value')).toMatchObject({ row: '{{ input.order }}' });
  fireEvent.click(within(row()).getByRole('radio', { name: 'Several rows' }));
  fireEvent.click(within(row()).getByRole('button', { name: /^Rows: list/ }));
  fireEvent.click(await screen.findByRole('option', { name: 'input.list' }));
  expect(read('value')).toEqual({ operation: 'insert', tableId: 'tbl_1', rows: '{{ input.list }}' });
});
