// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { createTRPCClient, httpLink } from '@trpc/client';
import { afterEach, expect, test, vi } from 'vitest';
import type { AppRouter } from '@/server/api/http/trpc/trpc';
import { TRPCProvider } from '@/components/client/trpc';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import { ReadOnlyNodeForm } from './ReadOnlyNodeForm';

afterEach(cleanup);

const KIND = {
  type: 'send_note',
  title: 'Send note',
  configSchema: {
    type: 'object',
    properties: {
      channel: { type: 'string', title: 'Channel', 'x-choices': { source: 'channels', dependsOn: [], search: false } },
      text: { type: 'string', title: 'Text' },
      mode: { enum: ['fast_lane', 'slow_lane'], title: 'Speed', 'x-labels': { fast_lane: 'Fast', slow_lane: 'Slow' } },
      unused: { type: 'string', title: 'Unused' },
    },
    required: ['channel', 'text'],
  },
  ports: { inputs: ['input'], outputs: ['output'] },
  credentialTypes: [],
} as unknown as NodeTypeDescription;

test('the settings of a node are read in the words of its form, without what could be changed', async () => {
  const fetch = vi.fn<(url: string) => Promise<Response>>(() =>
    Promise.resolve(Response.json({ result: { data: { workspaces: [] } } })),
  );
  const client = createTRPCClient<AppRouter>({
    links: [httpLink({ url: 'http://service.example/api/trpc', fetch: fetch as never })],
  });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <TRPCProvider trpcClient={client} queryClient={queries}>
          <ReadOnlyNodeForm
            node={{
              id: 'note',
              type: 'send_note',
              position: { x: 0, y: 0 },
              config: { channel: 'C024BE91L', text: 'Ready', mode: 'slow_lane' },
              labels: { channel: '#general' },
            }}
            kind={KIND}
            titles={{}}
          />
        </TRPCProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const shown = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
  expect([shown('Channel').value, shown('Text').value]).toEqual(['#general', 'Ready']);
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Speed' }).value).toBe('Slow');
  expect(screen.queryByText('Unused')).toBeNull();
  expect(document.body.innerHTML).not.toContain('C024BE91L');
  expect(screen.getByRole('group').matches('fieldset:disabled')).toBe(true);
  expect(fetch.mock.calls.map(([url]) => url).filter((url) => url.includes('choices'))).toEqual([]);
});
