import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { AppRouter } from '@/server/api/http/trpc/trpc';

/** The service's operations as queries and mutations: `useTRPC().workflows.list.queryOptions({ query: … })`. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

/** In the context of a call: the service does not answer from what it keeps. */
export const READ_ANEW = 'readAnew';
