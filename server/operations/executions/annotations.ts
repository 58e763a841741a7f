import { z } from 'zod';
import { Annotation, AnnotationChange, RunTagList, type Rating } from '@/contract/annotation';
import type { ExecutionAnnotation } from '@/generated/prisma/client';
import { visibleTo } from '@/server/access/filter';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import type { Db } from '@/server/db/client';
import { notFound } from '@/server/errors/problem';

const tag = 'Executions';
const path = '/api/executions/{id}/annotation';
const Id = z.strictObject({ id: z.string() });

const NONE: Annotation = { rating: null, tags: [], note: '', isKept: false, updatedBy: null, updatedAt: null };

export const presentAnnotation = (row: ExecutionAnnotation): Annotation => ({
  rating: row.rating as Rating | null,
  tags: row.tags,
  note: row.note,
  isKept: row.isKept,
  updatedBy: row.updatedBy,
  updatedAt: row.updatedAt.toISOString(),
});

const isEmpty = ({ rating, tags, note, isKept }: Pick<ExecutionAnnotation, 'rating' | 'tags' | 'note' | 'isKept'>) =>
  rating === null && tags.length === 0 && note === '' && !isKept;

const get = operation({
  id: 'annotations.get',
  method: 'GET',
  path,
  summary: 'Read the annotation of an execution',
  tag,
  access: memberAccess('execution', 'read'),
  effect: readEffect(),
  params: Id,
  reply: jsonReply(Annotation),
  async run({ db, caller: { workspaceId } }, { params: { id } }) {
    if ((await db.execution.count({ where: { id, workspaceId } })) === 0) throw notFound('The execution');
    const row = await db.executionAnnotation.findUnique({ where: { executionId: id } });
    return row ? presentAnnotation(row) : NONE;
  },
});

/** Keeps the execution from being deleted until the transaction ends. The engine can write it meanwhile. */
async function holdExecution(db: Db, workspaceId: string, id: string): Promise<void> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM execution WHERE id = ${id} AND workspace_id = ${workspaceId} FOR KEY SHARE`;
  if (rows.length === 0) throw notFound('The execution');
}

const set = operation({
  id: 'annotations.set',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path,
  summary: 'Annotate an execution',
  description:
    'A rating, tags and a note, for people who evaluate runs. Fields that are left out stay as they are. With `isKept` the ' +
    'clean-up does not remove the execution; deleting its workflow does. The annotation is removed with the execution.',
  tag,
  access: memberAccess('execution', 'update'),
  effect: writeEffect('resource_access'),
  params: Id,
  body: jsonBody(AnnotationChange),
  reply: jsonReply(Annotation, { resource: Annotation }),
  async run({ db, caller, note }, { params: { id }, body }) {
    await holdExecution(db, caller.workspaceId, id);
    note({ metadata: { changed: Object.keys(body) } });
    const where = { executionId: id };
    const content = { ...body, updatedBy: caller.userId, updatedAt: new Date() };
    const row = await db.executionAnnotation.upsert({
      where,
      create: { ...where, workspaceId: caller.workspaceId, ...content },
      update: content,
    });
    if (!isEmpty(row)) return presentAnnotation(row);
    await db.executionAnnotation.delete({ where });
    return NONE;
  },
});

/** Annotations that the list of tags reads: the latest ones. */
const MAX_READ = 5000;

const tags = operation({
  id: 'annotations.tags',
  method: 'GET',
  path: '/api/execution-tags',
  summary: 'List the tags of executions',
  description: 'Those of the 5,000 latest annotations with tags, the most frequent first.',
  tag,
  access: memberAccess('execution', 'read', { isFiltered: true }),
  effect: readEffect(),
  reply: jsonReply(RunTagList),
  async run({ db, caller }) {
    const visible = visibleTo(caller, 'execution');
    const seesAll = Object.keys(visible).length === 0;
    const rows = await db.executionAnnotation.findMany({
      where: { workspaceId: caller.workspaceId, tags: { isEmpty: false }, ...(seesAll ? {} : { execution: visible }) },
      select: { tags: true },
      orderBy: { updatedAt: 'desc' },
      take: MAX_READ,
    });
    const counts = new Map<string, number>();
    for (const one of rows.flatMap((row) => row.tags)) counts.set(one, (counts.get(one) ?? 0) + 1);
    const data = [...counts].map(([name, count]) => ({ tag: name, count }));
    return { data: data.toSorted((a, b) => b.count - a.count || a.tag.localeCompare(b.tag)) };
  },
});

export const annotations = [get, set, tags];
