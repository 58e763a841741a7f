import { z } from 'zod';
import { FavoriteResponse, ListTagsResponse } from '@/contract/workflows/workflow';
import { PaginationQuery } from '@/contract/text';
import type { Prisma } from '@/generated/prisma/client';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { visibleRowsFilter } from '@/server/people/access/filter';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import type { DatabaseClient } from '@/server/platform/db/client';
import { findWorkflow } from './workflow-rows';

const FAVORITE_TAG = 'Workflows';
const FavoriteParams = z.strictObject({ id: z.string() });
const FAVORITE_PATH = '/api/workflows/{id}/favorite';

/** Adds whether the workflow is a favorite of the caller. */
export async function addFavoriteFlag<Shown extends { id: string }>(
  db: DatabaseClient,
  { userId }: WorkspaceCaller,
  workflow: Shown,
) {
  const isFavorite = (await db.workflowFavorite.count({ where: { userId, workflowId: workflow.id } })) > 0;
  return { ...workflow, isFavorite };
}

/** Which of these workflows are favorites of the caller. */
export async function findFavoriteIds(
  db: DatabaseClient,
  { userId }: WorkspaceCaller,
  ids: string[],
): Promise<Set<string>> {
  const rows = await db.workflowFavorite.findMany({ where: { userId, workflowId: { in: ids } } });
  return new Set(rows.map(({ workflowId }) => workflowId));
}

/** The filter for the caller's favorites, or for the others. */
export const favoriteFilter = ({ userId }: WorkspaceCaller, isWanted: boolean): Prisma.WorkflowWhereInput => ({
  favorites: isWanted ? { some: { userId } } : { none: { userId } },
});

/** Makes a workflow a favorite of the caller, or not any more. */
export async function setFavorite(
  db: DatabaseClient,
  { userId }: WorkspaceCaller,
  workflowId: string,
  isFavorite: boolean,
): Promise<void> {
  const data = { userId, workflowId };
  if (isFavorite) await db.workflowFavorite.createMany({ data, skipDuplicates: true });
  else await db.workflowFavorite.deleteMany({ where: data });
}

const addFavoriteOperation = defineOperation({
  id: 'workflows.addFavorite',
  method: 'PUT',
  path: FAVORITE_PATH,
  summary: 'Make a workflow one of my favorites',
  description: 'Only the caller sees it. `isFavorite` of the workflow has the same effect.',
  tag: FAVORITE_TAG,
  access: memberAccess('workflow', 'read'),
  effect: writeEffect('resource_access'),
  params: FavoriteParams,
  reply: jsonReply(FavoriteResponse),
  async run({ db, caller }, { params: { id } }) {
    await findWorkflow(db, caller.workspaceId, id);
    await setFavorite(db, caller, id, true);
    return { isFavorite: true };
  },
});

const removeFavoriteOperation = defineOperation({
  id: 'workflows.removeFavorite',
  method: 'DELETE',
  path: FAVORITE_PATH,
  summary: 'Remove a workflow from my favorites',
  tag: FAVORITE_TAG,
  access: memberAccess('workflow', 'read'),
  effect: writeEffect('resource_access'),
  params: FavoriteParams,
  async run({ db, caller }, { params: { id } }) {
    await findWorkflow(db, caller.workspaceId, id);
    await setFavorite(db, caller, id, false);
  },
});

const listTagsOperation = defineOperation({
  id: 'tags.list',
  method: 'GET',
  path: '/api/tags',
  summary: 'List the tags of workflows',
  description: 'Each with the number of workflows that the caller may read, in alphabetical order.',
  tag: FAVORITE_TAG,
  access: memberAccess('workflow', 'read', { isFiltered: true }),
  effect: readEffect(),
  query: PaginationQuery,
  reply: jsonReply(ListTagsResponse),
  async run({ db, caller }, { query: { limit, offset } }) {
    const tagged = { workspaceId: caller.workspaceId, NOT: { tags: { isEmpty: true } } };
    const where = { AND: [tagged, visibleRowsFilter(caller, 'workflow')] };
    const counts = new Map<string, number>();
    for (const row of await db.workflow.findMany({ where, select: { tags: true } }))
      for (const name of row.tags) counts.set(name, (counts.get(name) ?? 0) + 1);
    const all = [...counts].map(([name, workflows]) => ({ name, workflows }));
    all.sort((one, other) => one.name.localeCompare(other.name, 'en'));
    return { data: all.slice(offset, offset + limit), total: all.length, limit, offset };
  },
});

export const favoriteOperations = [addFavoriteOperation, removeFavoriteOperation, listTagsOperation];
