import type * as visitors from '@/server/people/accounts/visitor';
import type * as documentation from '@/server/api/documentation';
import { getRuntime } from '@/server/platform/runtime';
import type { routeWebRequest } from './routes';

/**
 * Functions that pages and route handlers call. Next.js bundles these separately from the server: they access the
 * functions through the runtime instead of loading the server's modules a second time.
 */
export type WebServices = typeof visitors & typeof documentation & { dispatch: typeof routeWebRequest };

declare module '@/server/platform/runtime' {
  interface Runtime {
    web?: WebServices;
  }
}

export function webServices(): WebServices {
  const services = getRuntime().web;
  if (!services) throw new Error('This process serves no pages.');
  return services;
}

/** The route handler of Next.js for all API paths: dispatches to the server's router. */
export const serveApiRequest = (request: Request): Promise<Response> => webServices().dispatch(request);
