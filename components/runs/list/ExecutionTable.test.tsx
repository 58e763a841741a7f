// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { createTRPCClient, httpLink } from '@trpc/client';
import { afterEach, expect, test, vi } from 'vitest';
import type { AppRouter } from '@/server/api/http/trpc/trpc';
import { TRPCProvider } from '@/components/client/trpc';
import type { ExecutionSummary } from '@/contract/execution';
import { ExecutionTable } from './ExecutionTable';

vi.mock('next/link', () => ({ default: 'a' }));

afterEach(cleanup);

const START = new Date(2026, 10, 28, 9, 0).toISOString();

const WAITING: ExecutionSummary = {
  id: 'exec_1',
  workflowId: 'wf_1',
  workflowName: 'Orders',
  workflowVersion: 1,
  status: 'paused',
  trigger: 'manual',
  triggeredBy: null,
  startedAt: START,
  createdAt: START,
  createdBy: null,
  rerunOf: null,
  parentExecutionId: null,
  untilNodeId: null,
  startNodeId: null,
  error: null,
  annotation: null,
};

function showTable(permissions: string[]) {
  const me = { workspaces: [{ id: 'ws_1', permissions, conditionalPermissions: [] }] };
  const fetch = vi.fn<() => Promise<Response>>(() => Promise.resolve(Response.json({ result: { data: me } })));
  const client = createTRPCClient<AppRouter>({ links: [httpLink({ url: 'http://service.example/api/trpc', fetch })] });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <TRPCProvider trpcClient={client} queryClient={queries}>
          <ExecutionTable
            rows={[WAITING]}
            sort="-createdAt"
            chosen={new Set()}
            onSort={() => undefined}
            onChoose={() => undefined}
          />
        </TRPCProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return waitFor(() => expect(queries.isFetching() === 0 && fetch.mock.calls.length === 1).toBe(true));
}

test('a decision is offered beside a run that waits, to people who may decide', async () => {
  await showTable(['execution:read', 'execution:resume']);
  expect(screen.getByText('Decide')).toBeTruthy();
  cleanup();
  await showTable(['execution:read']);
  await waitFor(() => expect(screen.queryByText('Decide')).toBeNull());
  expect(screen.getByText('Orders')).toBeTruthy();
});
