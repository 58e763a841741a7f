import { webServices } from '@/server/api/http/web-services';

/**
 * The pages of the documentation that answer a search: for the search field, the command palette and the command line.
 */
export async function GET(request: Request): Promise<Response> {
  const hits = await webServices().searchDocumentation(new URL(request.url).searchParams.get('q') ?? '');
  return Response.json(hits, { headers: { 'cache-control': 'public, max-age=300' } });
}
