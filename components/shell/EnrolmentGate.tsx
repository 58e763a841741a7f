import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useTRPC } from '@/components/client/trpc';

// The page is loaded on demand, because it is rarely shown.
const EnrolmentPage = lazyWithPreload(() => import('./EnrolmentPage').then((module) => module.EnrolmentPage));

/**
 * If a workspace requires a second factor, the page is replaced until it is set up, or verified after a sign-in without
 * it.
 */
export function EnrolmentGate({ children }: { children: ReactNode }) {
  const trpc = useTRPC();
  const { data, refetch } = useQuery(trpc.mfa.get.queryOptions(undefined, { staleTime: 60_000 }));
  if (!data?.pending) return children;
  return <EnrolmentPage isProof={data.pending === 'prove'} onDone={() => void refetch()} />;
}
