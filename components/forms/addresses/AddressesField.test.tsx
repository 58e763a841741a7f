// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { PreviewDataContext } from '../preview-context';
import { ReferenceOptionsContext } from '../model/reference-options';
import { buildExecutionVariables } from '../model/preview-expression';
import type { FieldSchema } from '../model/field-schema';
import { SchemaForm } from '../SchemaForm';

afterEach(cleanup);

const schema: FieldSchema = { type: 'object', properties: { to: { title: 'To', 'x-editor': 'email-list' } } };
const preview = {
  scope: { input: {}, nodes: {}, execution: buildExecutionVariables(undefined) },
  hasData: false,
  isPartial: false,
};
const references = { 'email-list': [{ value: 'ada@example.com', label: 'Ada Lovelace' }] };

function Harness({ to, errors = {} }: { to?: unknown; errors?: Record<string, string> }) {
  const [value, setValue] = useState<Record<string, unknown>>({ to });
  return (
    <MantineProvider env="test">
      <ReferenceOptionsContext value={references}>
        <PreviewDataContext value={preview}>
          <SchemaForm schema={schema} value={value} errors={new Map(Object.entries(errors))} onChange={setValue} />
        </PreviewDataContext>
      </ReferenceOptionsContext>
      <output>{JSON.stringify(value['to'])}</output>
    </MantineProvider>
  );
}
const value = () => JSON.parse(screen.getByRole('status').textContent) as unknown;
const line = (name: string) => screen.getByRole('combobox', { name });

describe('a field for addresses', () => {
  it('takes one line each; one alone is a text', () => {
    render(<Harness />);
    fireEvent.change(line('To'), { target: { value: 'ben@example.com' } });
    expect(value()).toBe('ben@example.com');
    fireEvent.click(screen.getByRole('button', { name: 'Add to To' }));
    expect(value()).toBe('ben@example.com');
    fireEvent.change(line('To 2'), { target: { value: 'cy@example.com' } });
    expect(value()).toEqual(['ben@example.com', 'cy@example.com']);
    fireEvent.click(screen.getByRole('button', { name: 'Remove ben@example.com from To' }));
    expect(value()).toBe('cy@example.com');
  });

  it('says at its line that a text is no address, once the line is left', () => {
    render(<Harness to={['ben@example.com', 'cy@example.com']} />);
    fireEvent.focus(line('To 2'));
    fireEvent.change(line('To 2'), { target: { value: 'cy@' } });
    expect(screen.queryByText('“cy@” is not an email address')).toBeNull();
    fireEvent.blur(line('To 2'));
    expect(screen.getByText('“cy@” is not an email address')).toBeDefined();
    expect(line('To').getAttribute('aria-invalid')).not.toBe('true');
    expect(line('To 2').getAttribute('aria-invalid')).toBe('true');
  });

  it('finds members by their name', () => {
    render(<Harness />);
    fireEvent.focus(line('To'));
    fireEvent.change(line('To'), { target: { value: 'love' } });
    fireEvent.click(screen.getByRole('option', { name: /Ada Lovelace/ }));
    expect(value()).toBe('ada@example.com');
  });

  it('edits an expression as one, beside plain lines, and shows its error there', () => {
    render(<Harness to={['ben@example.com', '{{ input. }}']} errors={{ 'to[1]': 'is no expression' }} />);
    expect(screen.queryByRole('combobox', { name: 'To 2' })).toBeNull();
    expect(screen.getByText('is no expression')).toBeDefined();
    expect(line('To').getAttribute('aria-invalid')).not.toBe('true');
  });
});
