import type * as visitors from '@/server/accounts/visitor';
import type * as documentation from '@/server/documentation';
import { runtime } from '@/server/runtime';
import type { dispatch } from './routes';

/**
 * Functions that pages and route handlers call. Next.js bundles these separately from the server: they access the
 * functions through the runtime instead of loading the server's modules a second time.
 */
export type WebServices = typeof visitors & typeof documentation & { dispatch: typeof dispatch };

declare module '@/server/runtime' {
  interface Runtime {
    web?: WebServices;
  }
}

export function web(): WebServices {
  const services = runtime().web;
  if (!services) throw new Error('This process serves no pages.');
  return services;
}

/** The route handler of Next.js for all API paths: dispatches to the server's router. */
export const serve = (request: Request): Promise<Response> => web().dispatch(request);
