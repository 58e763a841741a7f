import { z } from 'zod';
import { Favorite, TagPage } from '@/contract/workflows/workflow';
import { PageQuery } from '@/contract/text';
import type { Prisma } from '@/generated/prisma/client';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { visibleTo } from '@/server/access/filter';
import type { Caller } from '@/server/access/caller';
import type { Db } from '@/server/db/client';
import { findWorkflow } from './content';

const tag = 'Workflows';
const Id = z.strictObject({ id: z.string() });
const path = '/api/workflows/{id}/favorite';

/** The workflow with what only holds for the caller. */
export async function withFavorite<Shown extends { id: string }>(db: Db, { userId }: Caller, workflow: Shown) {
  const isFavorite = (await db.workflowFavorite.count({ where: { userId, workflowId: workflow.id } })) > 0;
  return { ...workflow, isFavorite };
}

/** Which of these workflows are favorites of the caller. */
export async function favoritesAmong(db: Db, { userId }: Caller, ids: string[]): Promise<Set<string>> {
  const rows = await db.workflowFavorite.findMany({ where: { userId, workflowId: { in: ids } } });
  return new Set(rows.map(({ workflowId }) => workflowId));
}

/** The filter for the caller's favorites, or for the others. */
export const favoriteFilter = ({ userId }: Caller, isWanted: boolean): Prisma.WorkflowWhereInput => ({
  favorites: isWanted ? { some: { userId } } : { none: { userId } },
});

/** Makes a workflow a favorite of the caller, or not any more. */
export async function setFavorite(db: Db, { userId }: Caller, workflowId: string, isFavorite: boolean): Promise<void> {
  const data = { userId, workflowId };
  if (isFavorite) await db.workflowFavorite.createMany({ data, skipDuplicates: true });
  else await db.workflowFavorite.deleteMany({ where: data });
}

const add = operation({
  id: 'workflows.addFavorite',
  method: 'PUT',
  path,
  summary: 'Make a workflow one of my favorites',
  description: 'Only the caller sees it. `isFavorite` of the workflow has the same effect.',
  tag,
  access: memberAccess('workflow', 'read'),
  effect: writeEffect('resource_access'),
  params: Id,
  reply: jsonReply(Favorite),
  async run({ db, caller }, { params: { id } }) {
    await findWorkflow(db, caller.workspaceId, id);
    await setFavorite(db, caller, id, true);
    return { isFavorite: true };
  },
});

const remove = operation({
  id: 'workflows.removeFavorite',
  method: 'DELETE',
  path,
  summary: 'Remove a workflow from my favorites',
  tag,
  access: memberAccess('workflow', 'read'),
  effect: writeEffect('resource_access'),
  params: Id,
  async run({ db, caller }, { params: { id } }) {
    await findWorkflow(db, caller.workspaceId, id);
    await setFavorite(db, caller, id, false);
  },
});

const tags = operation({
  id: 'tags.list',
  method: 'GET',
  path: '/api/tags',
  summary: 'List the tags of workflows',
  description: 'Each with the number of workflows that the caller may read, in alphabetical order.',
  tag,
  access: memberAccess('workflow', 'read', { isFiltered: true }),
  effect: readEffect(),
  query: PageQuery,
  reply: jsonReply(TagPage),
  async run({ db, caller }, { query: { limit, offset } }) {
    const tagged = { workspaceId: caller.workspaceId, NOT: { tags: { isEmpty: true } } };
    const where = { AND: [tagged, visibleTo(caller, 'workflow')] };
    const counts = new Map<string, number>();
    for (const row of await db.workflow.findMany({ where, select: { tags: true } }))
      for (const name of row.tags) counts.set(name, (counts.get(name) ?? 0) + 1);
    const all = [...counts].map(([name, workflows]) => ({ name, workflows }));
    all.sort((one, other) => one.name.localeCompare(other.name, 'en'));
    return { data: all.slice(offset, offset + limit), total: all.length, limit, offset };
  },
});

export const favorites = [add, remove, tags];
