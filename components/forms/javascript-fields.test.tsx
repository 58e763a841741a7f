// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import type { ExpressionEvaluator } from '@/components/client/queries/useExpressionEvaluator';
import { ExpressionLanguageContext } from '@/components/ui/values/expression-language';
import { PreviewDataContext } from './preview-context';
import { buildExecutionVariables } from './model/preview-expression';
import { SchemaForm } from './SchemaForm';
import type { FieldSchema } from './model/field-schema';

afterEach(cleanup);
// happy-dom has no document.fonts, which autosizing text areas use.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

const schema: FieldSchema = {
  type: 'object',
  properties: {
    text: { type: 'string', title: 'Greeting' },
    when: { type: 'string', title: 'When', 'x-editor': 'condition' },
  },
};
const scope = {
  input: { 'full name': 'Ada', rows: [{ price: 3 }] },
  nodes: {},
  execution: buildExecutionVariables(undefined),
};

/** The form of a workflow in JavaScript; shows its value as JSON. */
function Harness({ initial, evaluate }: { initial: Record<string, unknown>; evaluate?: ExpressionEvaluator }) {
  const [value, setValue] = useState(initial);
  return (
    <MantineProvider env="test">
      <ExpressionLanguageContext value="javascript">
        <PreviewDataContext value={{ scope, hasData: true, isPartial: false, evaluate }}>
          <SchemaForm schema={schema} value={value} errors={new Map()} onChange={setValue} />
        </PreviewDataContext>
      </ExpressionLanguageContext>
      <output data-testid="value">{JSON.stringify(value)}</output>
    </MantineProvider>
  );
}
const shown = () => JSON.parse(screen.getByTestId('value').textContent) as Record<string, unknown>;

it('lets the service evaluate, with the data that the text mentions', async () => {
  const asked: unknown[] = [];
  const evaluate: ExpressionEvaluator = (request) => {
    asked.push(request);
    return Promise.resolve([{ value: 'Hello Ada', problem: null }]);
  };
  render(<Harness initial={{ text: 'Hello {{ input["full name"] }}' }} evaluate={evaluate} />);
  await waitFor(() => expect(screen.getByText('= "Hello Ada"')).toBeDefined(), { timeout: 4000 });
  expect(asked).toEqual([
    {
      language: 'javascript',
      texts: [{ value: 'Hello {{ input["full name"] }}', isBare: false }],
      scope: { input: scope.input, nodes: {} },
    },
  ]);
});

it('shows errors of the syntax without asking, and those of the service', async () => {
  const evaluate: ExpressionEvaluator = ({ texts: [text] }) =>
    Promise.resolve([
      { problem: { message: `Cannot read ${String(text?.value)}`, source: ' input.x.y ', position: 10 } },
    ]);
  render(<Harness initial={{ text: '{{ input.x.y }}' }} evaluate={evaluate} />);
  await waitFor(() => expect(screen.getByText(/Cannot read/)).toBeDefined(), { timeout: 4000 });
  cleanup();
  render(<Harness initial={{ text: '{{ input.x + }}' }} />);
  await waitFor(() => expect(screen.getByText('Unexpected token')).toBeDefined(), { timeout: 4000 });
});

it('writes dropped fields as JavaScript', () => {
  const drop = (path: string) => {
    const transfer = { types: ['application/x-weft-path'], getData: () => path };
    fireEvent.drop(screen.getByLabelText('Greeting'), { dataTransfer: transfer });
    return shown()['text'];
  };
  render(<Harness initial={{}} />);
  expect(drop('input.`full name`')).toBe('{{ input["full name"] }}');
  cleanup();
  render(<Harness initial={{}} />);
  expect(drop('input.rows.price')).toBe('{{ input.rows.map((item) => item.price) }}');
  cleanup();
  render(<Harness initial={{}} />);
  expect(drop('input.rows[0].price')).toBe('{{ input.rows[0]?.price }}');
});

it('shows a condition in JavaScript as rules', async () => {
  render(<Harness initial={{ when: 'typeof input?.["full name"] === "string" && input["full name"] < "B"' }} />);
  await waitFor(() => expect(screen.getByText('input["full name"]')).toBeDefined());
});
