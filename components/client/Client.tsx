'use client';

import { QueryCache, QueryClient, QueryClientProvider, MutationCache } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, httpLink, splitLink } from '@trpc/client';
import { useState, type ReactNode } from 'react';
import type { AppRouter } from '@/server/api/trpc';
import { leave } from './leave';
import { isTransient, problemOf } from './problem';
import { TRPCProvider } from './trpc';
import { workspaceHeader } from './workspace';

/** Signed out elsewhere, expired, or removed: there is nothing more to show here. A wrong code names its field. */
const onError = (error: unknown) => {
  const { code, details } = problemOf(error);
  if (code === 'UNAUTHORIZED' && details.length === 0) void leave({ isReturning: true });
};

const newQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // 1, 2, 4 seconds, as the interface document asks of its clients.
        retry: (failures, error) => failures < 3 && isTransient(error),
        retryDelay: (failures) => 1000 * 2 ** failures,
      },
    },
  });

const newClient = () =>
  createTRPCClient<AppRouter>({
    links: [
      splitLink({
        // Asked outside any workspace, so that somebody removed from the chosen one still gets an answer.
        condition: ({ path }) => path === 'auth.me',
        true: httpLink({ url: '/api/trpc' }),
        false: httpBatchLink({ url: '/api/trpc', headers: workspaceHeader, maxURLLength: 4000 }),
      }),
    ],
  });

/** Connects everything inside with the service. */
export function Client({ children }: { children: ReactNode }) {
  const [queryClient] = useState(newQueryClient);
  const [client] = useState(newClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
