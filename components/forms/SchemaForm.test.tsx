// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { PreviewDataContext, type PreviewData } from './preview-context';
import type { FieldSchema } from './model/field-schema';
import { buildExecutionVariables } from './model/preview-expression';
import { SchemaForm } from './SchemaForm';

afterEach(cleanup);
// happy-dom has no document.fonts, which autosizing text areas use.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

const schema: FieldSchema = {
  type: 'object',
  required: ['url'],
  properties: {
    url: { type: 'string', title: 'Address' },
    timeout: { type: 'number' },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    body: {},
    cases: { type: 'array', items: { type: 'object', properties: { port: { type: 'string' } } } },
    failOnError: { type: 'boolean', default: true },
  },
};

/** The form with state; shows its value as JSON. */
function Harness({
  schema: shape = schema,
  initial = {},
  errors = {},
  preview = {
    scope: { input: {}, nodes: {}, execution: buildExecutionVariables(undefined) },
    hasData: false,
    isPartial: false,
  },
}: {
  schema?: FieldSchema;
  initial?: Record<string, unknown>;
  errors?: Record<string, string>;
  preview?: PreviewData | undefined;
}) {
  const [value, setValue] = useState(initial);
  return (
    <MantineProvider env="test">
      <PreviewDataContext value={preview}>
        <SchemaForm schema={shape} value={value} errors={new Map(Object.entries(errors))} onChange={setValue} />
      </PreviewDataContext>
      <output>{JSON.stringify(value)}</output>
    </MantineProvider>
  );
}
const value = () => JSON.parse(screen.getByRole('status').textContent);
const type = (label: string | RegExp, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });

describe('a form made from a JSON Schema', () => {
  it('writes texts, numbers and expressions, and omits empty fields', () => {
    render(<Harness initial={{ url: 'https://a.example' }} />);
    type('Timeout', '250');
    expect(value()).toEqual({ url: 'https://a.example', timeout: 250 });
    type('Timeout', '{{ input.wait }}');
    expect(value().timeout).toBe('{{ input.wait }}');
    type(/Address/, '');
    expect(value()).toEqual({ timeout: '{{ input.wait }}' });
  });

  it('treats an equals sign as text without preview data', () => {
    render(
      <MantineProvider env="test">
        <SchemaForm schema={schema} value={{}} errors={new Map()} onChange={(next) => expect(next.url).toBe('=')} />
      </MantineProvider>,
    );
    type(/Address/, '=');
    expect(screen.queryByRole('button', { name: /use an expression/ })).toBeNull();
    expect.assertions(2);
  });

  it('edits pairs, and adds a pair once it has a name', () => {
    render(<Harness />);
    fireEvent.click(screen.getAllByRole('button', { name: 'Add' })[0] as HTMLElement);
    type('Headers: value 1', 'yes');
    expect(value()).toEqual({});
    type('Headers: name 1', 'X-Trace');
    expect(value()).toEqual({ headers: { 'X-Trace': 'yes' } });
    fireEvent.click(screen.getByRole('button', { name: 'Remove X-Trace' }));
    expect(value()).toEqual({});
  });

  it('keeps the last valid JSON while a value is incomplete', () => {
    render(<Harness />);
    type('Body', '{"a": 1}');
    type('Body', '{"a": 1');
    expect(screen.getByText(/not valid JSON/)).toBeTruthy();
    expect(value()).toEqual({ body: { a: 1 } });
  });

  it('edits lists of objects', () => {
    render(<Harness initial={{ cases: [{ port: 'one' }] }} />);
    type('Port', 'first');
    expect(value()).toEqual({ cases: [{ port: 'first' }] });
    fireEvent.click(screen.getByRole('button', { name: 'Remove entry 1' }));
    expect(value()).toEqual({});
  });

  it('shows each error at its field, and defaults of empty fields', () => {
    render(<Harness initial={{ cases: [{}] }} errors={{ url: 'is required', 'cases[0].port': 'must not be empty' }} />);
    expect(screen.getByText('is required')).toBeTruthy();
    expect(screen.getByText('must not be empty')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Fail on error').checked).toBe(true);
  });

  it('adds an optional group with its first options, shows what matters to them, and removes it as a whole', () => {
    const pages: FieldSchema = {
      type: 'object',
      title: 'Pages',
      'x-editor': 'optional-group',
      'x-literal': true,
      required: ['kind'],
      properties: {
        kind: { enum: ['link', 'page'], 'x-literal': true },
        from: { type: 'integer', title: 'First page', 'x-literal': true, 'x-when': { kind: ['page'] } },
        most: { type: 'integer', title: 'At most', 'x-literal': true },
      },
    };
    const listed: FieldSchema = { type: 'object', properties: { pages } };
    const { rerender } = render(<Harness schema={listed} key="new" />);
    fireEvent.click(screen.getByRole('switch', { name: 'Pages' }));
    expect(value()).toEqual({ pages: { kind: 'link' } });
    expect(screen.queryByLabelText('First page')).toBeNull();
    type('At most', '3');
    expect(value()).toEqual({ pages: { kind: 'link', most: 3 } });
    fireEvent.click(screen.getByRole('switch', { name: 'Pages' }));
    expect(value()).toEqual({});

    const errors = { 'pages.from': 'must be a number' };
    rerender(<Harness schema={listed} key="page" initial={{ pages: { kind: 'page' } }} errors={errors} />);
    expect(screen.getByLabelText('First page')).toBeTruthy();
    expect(screen.getByText('must be a number')).toBeTruthy();
  });
});
