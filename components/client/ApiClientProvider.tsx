'use client';

import { QueryCache, QueryClient, QueryClientProvider, MutationCache } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, httpLink, splitLink } from '@trpc/client';
import { useState, type ReactNode } from 'react';
import { MAX_BATCH_CALLS } from '@/contract/batch';
import type { AppRouter } from '@/server/api/http/trpc/trpc';
import { signOutToLogin } from './sign-out';
import { noteAnswer } from './connection-state';
import { isTransientApiError, isUnreachableError, readApiError } from './api-error';
import { READ_ANEW, TRPCProvider } from './trpc';
import { workspaceHeader } from './chosen-workspace';

/**
 * The session ended: the person signed out elsewhere, or it expired or was removed. The response to a wrong code is
 * UNAUTHORIZED too, but it names its field.
 */
const leaveOnExpiredSession = (error: unknown) => {
  const { code, details } = readApiError(error);
  if (code === 'UNAUTHORIZED' && details.length === 0) void signOutToLogin({ isReturning: true });
};

const CACHE_EVENTS = {
  onSuccess: () => noteAnswer(true),
  onError: (error: unknown) => {
    if (isUnreachableError(error)) noteAnswer(false);
    leaveOnExpiredSession(error);
  },
};

const createQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache(CACHE_EVENTS),
    mutationCache: new MutationCache(CACHE_EVENTS),
    defaultOptions: {
      // Without a network a call fails at once, so that the person hears of it. By default it would wait without an end.
      mutations: { networkMode: 'always' },
      queries: {
        staleTime: 10_000,
        // Exponential backoff: 1, 2, 4 seconds.
        retry: (failures, error) => failures < 3 && isTransientApiError(error),
        retryDelay: (failures) => 1000 * 2 ** failures,
      },
    },
  });

const createApiClient = () =>
  createTRPCClient<AppRouter>({
    links: [
      splitLink({
        // Called without a workspace header, so that it works after removal from the chosen workspace.
        condition: ({ path }) => path === 'auth.me',
        true: httpLink({ url: '/api/trpc' }),
        false: httpBatchLink({
          url: '/api/trpc',
          headers: ({ opList }) => ({
            ...workspaceHeader(),
            ...(opList.some(({ context }) => context[READ_ANEW]) ? { 'Cache-Control': 'no-cache' } : {}),
          }),
          maxURLLength: 4000,
          maxItems: MAX_BATCH_CALLS,
        }),
      }),
    ],
  });

/** Provides the tRPC and query clients. */
export function ApiClientProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  const [client] = useState(createApiClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
