import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { appRouter } from '@/server/api/trpc';

const handler = (request: Request): Promise<Response> =>
  fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: ({ resHeaders }) => ({ headers: request.headers, answerHeaders: resHeaders }),
  });

export { handler as GET, handler as POST };
