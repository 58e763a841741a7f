import { web } from '@/server/http/web-services';

// Made from what the service knows when it runs, not when it is built.
export const dynamic = 'force-dynamic';

/** The titles and paths of the documentation, by section: for the command palette. */
export function GET(): Response {
  return Response.json(web().documentationSections(), { headers: { 'cache-control': 'public, max-age=300' } });
}
