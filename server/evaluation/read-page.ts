import { decodeInTurns } from '@/server/cooperative';
import { NodeFailure } from '@/server/errors/node-failure';
import { MAX_PARSED } from '@/server/expressions/large-json';
import { bulk, pool, type Purpose } from './evaluation';
import { splitPage, type ListPage, type PagePlaces } from './list-page';
import { readBody } from './read-body';

/** Reads a page of a list of any size: an evaluator process reads a large one. Throws NodeFailure. */
export async function readPage(
  body: Buffer,
  contentType: string,
  places: PagePlaces,
  { workspaceId, signal }: Purpose,
): Promise<ListPage> {
  if (body.length <= MAX_PARSED) return splitPage(readBody(body, contentType, 'auto'), places);
  const job = { kind: 'read-page', limits: bulk(), contentType, places } as const;
  const result = await pool().run(workspaceId, job, [body], signal);
  if (!result.ok) {
    const { code, message } = result.failure;
    throw new NodeFailure(code, message, code === 'EVALUATION_ENDED' || code === 'EVALUATION_BUSY');
  }
  const [about, items] = result.answer.texts;
  const page = JSON.parse(about?.toString() ?? '{}') as Omit<ListPage, 'items'>;
  return { ...page, items: items ? await decodeInTurns(items) : '' };
}
