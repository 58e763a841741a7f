import { webServices } from '@/server/api/http/web-services';

/** A page of the documentation as Markdown, for tools. */
export async function GET(_: Request, { params }: { params: Promise<{ path?: string[] }> }): Promise<Response> {
  const markdown = await webServices().readDocumentationMarkdown(((await params).path ?? []).join('/'));
  const headers = { 'content-type': 'text/markdown; charset=utf-8', 'x-content-type-options': 'nosniff' };
  return markdown === undefined
    ? new Response('There is no such page.\n', { status: 404, headers })
    : new Response(markdown, { headers });
}
