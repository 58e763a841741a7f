'use client';

import { QueryCache, QueryClient, QueryClientProvider, MutationCache } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, httpLink, splitLink } from '@trpc/client';
import { useState, type ReactNode } from 'react';
import { MAX_CALLS } from '@/contract/batch';
import type { AppRouter } from '@/server/http/trpc/trpc';
import { leave } from './leave';
import { isTransient, problemOf } from './problem';
import { TRPCProvider } from './trpc';
import { workspaceHeader } from './workspace';

/**
 * The session ended: signed out elsewhere, expired or removed. A wrong code also answers UNAUTHORIZED, but names its
 * field.
 */
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
        // Exponential backoff: 1, 2, 4 seconds.
        retry: (failures, error) => failures < 3 && isTransient(error),
        retryDelay: (failures) => 1000 * 2 ** failures,
      },
    },
  });

const newClient = () =>
  createTRPCClient<AppRouter>({
    links: [
      splitLink({
        // Called without a workspace header, so that it works after removal from the chosen workspace.
        condition: ({ path }) => path === 'auth.me',
        true: httpLink({ url: '/api/trpc' }),
        false: httpBatchLink({ url: '/api/trpc', headers: workspaceHeader, maxURLLength: 4000, maxItems: MAX_CALLS }),
      }),
    ],
  });

/** Provides the tRPC and query clients. */
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
