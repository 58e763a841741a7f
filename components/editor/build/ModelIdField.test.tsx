// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createTRPCClient, httpLink } from '@trpc/client';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { ListChoicesRequest } from '@/contract/choices';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { AppRouter } from '@/server/api/http/trpc/trpc';
import { TRPCProvider } from '@/components/client/trpc';
import { ChoiceTargetContext } from '@/components/forms/choices/choice-target';
import type { ChosenModel } from './chosen-model';
import { ModelIdField } from './ModelIdField';

afterEach(cleanup);

const kind = {
  type: 'llm',
  configSchema: { properties: { model: { 'x-models': { openai: ['model-known'] } } } },
} as unknown as NodeTypeDescription;

let asked: string[] = [];

async function answerCall(url: unknown, init?: { body?: unknown }): Promise<Response> {
  if (!String(url).includes('nodeTypes.choices'))
    return Response.json({ result: { data: { config: { provider: 'openai' } } } });
  const { body } = JSON.parse(String(init?.body)) as { body: ListChoicesRequest };
  asked.push(`${body.source} ${body.credentialId} ${body.search}`);
  const all = [
    { value: 'model-a', label: 'Model A' },
    { value: 'model-b', label: 'Model B' },
  ];
  return Response.json({ result: { data: { data: all, nextCursor: null } } });
}

const client = createTRPCClient<AppRouter>({
  links: [httpLink({ url: 'http://service.example/api/trpc', fetch: answerCall })],
});

function Harness() {
  const [value, setValue] = useState<ChosenModel>({ credentialId: 'cred_1', model: undefined });
  const [queries] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }));
  return (
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <TRPCProvider trpcClient={client} queryClient={queries}>
          <ChoiceTargetContext value={{ nodeType: 'llm', credentialId: value.credentialId }}>
            <ModelIdField kind={kind} value={value} onChange={setValue} />
          </ChoiceTargetContext>
          <output data-testid="model">{value.model}</output>
        </TRPCProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

test('a model of the account is picked, or typed', async () => {
  asked = [];
  render(<Harness />);
  const field = await screen.findByDisplayValue('model-known');
  fireEvent.click(field);
  fireEvent.change(field, { target: { value: 'model-' } });
  fireEvent.click(await screen.findByRole('option', { name: 'model-b' }));
  expect(screen.getByTestId('model').textContent).toBe('model-b');
  expect(asked[0]).toBe('models cred_1 ');
  fireEvent.change(field, { target: { value: 'model-of-tomorrow' } });
  expect(screen.getByTestId('model').textContent).toBe('model-of-tomorrow');
});
