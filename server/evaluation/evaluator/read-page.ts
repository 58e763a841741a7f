import { decodeUtf8InTurns } from '@/server/platform/timers/cooperative';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { MAX_PARSED_JSON } from '@/server/evaluation/expressions/large-json';
import { bulkWorkLimits, evaluatorPool, type EvaluationContext } from './evaluation';
import { splitPageItems, type ListPage, type PageItemPaths } from './list-page';
import { parseBodyByType } from './read-body';

/** Reads a page of a list of any size: an evaluator process reads a large one. Throws NodeFailure. */
export async function readListPage(
  body: Buffer,
  contentType: string,
  places: PageItemPaths,
  { workspaceId, signal }: EvaluationContext,
): Promise<ListPage> {
  if (body.length <= MAX_PARSED_JSON) return splitPageItems(parseBodyByType(body, contentType, 'auto'), places);
  const job = { kind: 'read-page', limits: bulkWorkLimits(), contentType, places } as const;
  const result = await evaluatorPool().run(workspaceId, job, [body], signal);
  if (!result.ok) {
    const { code, message } = result.failure;
    throw new NodeFailure(code, message, code === 'EVALUATION_ENDED' || code === 'EVALUATION_BUSY');
  }
  const [about, items] = result.message.texts;
  const page = JSON.parse(about?.toString() ?? '{}') as Omit<ListPage, 'items'>;
  return { ...page, items: items ? await decodeUtf8InTurns(items) : '' };
}
