import { ListWorkflowsResponse, ListWorkflowsQuery } from '@/contract/workflows/workflow';
import { rowsAfterCursor, sliceCursorPage, parseCursor } from '@/server/api/operation/cursor';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import type { DatabaseClient } from '@/server/platform/db/client';
import { visibleRowsFilter } from '@/server/people/access/filter';
import { readLatestExecutions } from '@/server/engine/report/latest-executions';
import { caseInsensitiveContains, toWorkflowSummary } from './workflow-rows';
import { favoriteFilter, findFavoriteIds } from './favorites';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { readSortedPage } from '../sorted-page';
import { readListedTriggers } from './listed-triggers';
import { findInvalidDraftOwners } from './drafts/invalid-drafts';

/** Names of the people who created these workflows, as far as they are still members. */
async function readOwnerNames(
  db: DatabaseClient,
  { workspaceId }: WorkspaceCaller,
  rows: { createdBy: string | null }[],
) {
  const ids = [...new Set(rows.flatMap(({ createdBy }) => createdBy ?? []))];
  const where = { id: { in: ids }, memberships: { some: { workspaceId } } };
  const users = await db.user.findMany({ where, select: { id: true, name: true } });
  return new Map(users.map(({ id, name }) => [id, name]));
}

export const listWorkflowsOperation = defineOperation({
  id: 'workflows.list',
  method: 'GET',
  path: '/api/workflows',
  summary: 'List workflows',
  description:
    'Newest first unless `sort` says otherwise, without their definitions but with their triggers and last run. `search` finds ' +
    'names that contain it, in any case. Filters are combined. A cursor goes on from the newest, so it has no other `sort`.',
  tag: 'Workflows',
  access: memberAccess('workflow', 'read', { isFiltered: true }),
  effect: readEffect(),
  query: ListWorkflowsQuery,
  reply: jsonReply(ListWorkflowsResponse),
  async run({ db, caller }, { query }) {
    const { limit, offset, cursor, sort, status, search, tag: label, folderId, favorite } = query;
    const name = search ? caseInsensitiveContains(search) : undefined;
    const filter = {
      workspaceId: caller.workspaceId,
      status,
      name,
      ...(label === undefined ? {} : { tags: { has: label } }),
      ...(folderId === undefined ? {} : { folderId: folderId === 'none' ? null : folderId }),
      ...(favorite === undefined ? {} : favoriteFilter(caller, favorite === 'true')),
    };
    const where = { AND: [filter, visibleRowsFilter(caller, 'workflow')] };
    const position = parseCursor(cursor, offset);
    if (position && sort !== '-createdAt') throw invalidFieldProblem('sort', 'cannot be combined with a cursor');
    const page = {
      where: { AND: [...where.AND, rowsAfterCursor('createdAt', position) ?? {}] },
      omit: { definition: true } as const,
    };
    const [found, total] = await Promise.all([
      readSortedPage(
        db,
        { table: 'workflow', sort, limit: limit + 1, offset },
        {
          listIds: () => db.workflow.findMany({ where, select: { id: true } }),
          readByTime: (order) => db.workflow.findMany({ ...page, ...order }),
          readByIds: (ids) => db.workflow.findMany({ ...page, where: { id: { in: ids } } }),
        },
      ),
      db.workflow.count({ where }),
    ]);
    const { rows, nextCursor: next } = sliceCursorPage(found, limit, ({ createdAt: at, id }) => ({ at, id }));
    const nextCursor = sort === '-createdAt' ? next : null;
    const ids = rows.map(({ id }) => id);
    const [latest, favorites, owners, invalid, triggers] = await Promise.all([
      readLatestExecutions(ids, visibleRowsFilter(caller, 'execution')),
      findFavoriteIds(db, caller, ids),
      readOwnerNames(db, caller, rows),
      findInvalidDraftOwners(db, ids),
      readListedTriggers(db, caller, ids),
    ]);
    const listed = rows.map((row) => ({
      ...toWorkflowSummary(row),
      isFavorite: favorites.has(row.id),
      owner: owners.get(row.createdBy ?? '') ?? null,
      lastExecution: latest.get(row.id) ?? null,
      hasInvalidDraft: invalid.has(row.id),
      triggers: triggers.get(row.id) ?? [],
    }));
    return { data: listed, total, limit, offset, nextCursor };
  },
});
