// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createTRPCClient, httpLink } from '@trpc/client';
import { afterEach, expect, test, vi } from 'vitest';
import type { AppRouter } from '@/server/api/http/trpc/trpc';
import { TRPCProvider } from '@/components/client/trpc';
import { NewEventDialog } from './NewEventDialog';

vi.mock('next/link', () => ({ default: 'a' }));
vi.mock('next/navigation', () => ({ useRouter: () => ({}), useSearchParams: () => new URLSearchParams() }));

afterEach(cleanup);

const SHOP = {
  id: 'shop',
  name: 'Shop',
  services: [],
  operations: [],
  events: [
    { id: 'order', title: 'New order', mode: 'subscription' },
    { id: 'list', title: 'New customer', mode: 'poll' },
  ],
};

/** Shows the form in a workspace without accounts, and returns the bodies of what is sent. */
function showForm(event: string, mode: 'subscription' | 'poll', status: 'draft' | 'active') {
  const sent: unknown[] = [];
  const answer = (url: unknown, options?: { body?: unknown }): Promise<Response> => {
    if (String(url).includes('webhooks.create')) sent.push(JSON.parse(String(options?.body)));
    const data = String(url).includes('connectors.get') ? SHOP : { data: [], total: 0, workspaces: [], settings: {} };
    return Promise.resolve(Response.json({ result: { data } }));
  };
  const client = createTRPCClient<AppRouter>({
    links: [httpLink({ url: 'http://service.example/api/trpc', fetch: answer })],
  });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <TRPCProvider trpcClient={client} queryClient={queries}>
          <NewEventDialog
            workflow={{ id: 'wf_1', status }}
            id={undefined}
            preset={{ connectorId: 'shop', event, mode }}
            onGoLive={() => undefined}
            onClose={() => undefined}
          />
        </TRPCProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return sent;
}

const findButton = (name: string) => screen.findByRole('button', { name });

test('a webhook is added before its account is chosen, and goes live only with it', async () => {
  const sent = showForm('order', 'subscription', 'draft');
  const add = await findButton('Add trigger');
  expect((await findButton('Add and go live')).hasAttribute('disabled')).toBe(true);
  expect(screen.getByText(/It may be chosen later/)).toBeTruthy();
  fireEvent.click(add);
  await waitFor(() =>
    expect(sent).toMatchObject([
      { body: { subscription: { connectorId: 'shop', event: 'order', credentialId: null } } },
    ]),
  );
});

test.each([
  ['list', 'poll', 'draft'],
  ['order', 'subscription', 'active'],
] as const)('the event %s as a %s of a workflow that is %s needs its account at once', async (event, mode, status) => {
  showForm(event, mode, status);
  expect((await findButton('Add trigger')).hasAttribute('disabled')).toBe(true);
  expect(screen.queryByText(/It may be chosen later/)).toBeNull();
});
