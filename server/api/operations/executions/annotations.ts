import { z } from 'zod';
import { AnnotationResponse, AnnotateRunRequest, ListRunTagsResponse, type RunRating } from '@/contract/annotation';
import type { ExecutionAnnotation } from '@/generated/prisma/client';
import { visibleRowsFilter } from '@/server/people/access/filter';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import type { DatabaseClient } from '@/server/platform/db/client';
import { notFoundProblem } from '@/server/platform/errors/problem';

const ANNOTATION_TAG = 'Executions';
const ANNOTATION_PATH = '/api/executions/{id}/annotation';
const AnnotationParams = z.strictObject({ id: z.string() });

const EMPTY_ANNOTATION: AnnotationResponse = {
  rating: null,
  tags: [],
  note: '',
  isKept: false,
  updatedBy: null,
  updatedAt: null,
};

export const toAnnotationResponse = (row: ExecutionAnnotation): AnnotationResponse => ({
  rating: row.rating as RunRating | null,
  tags: row.tags,
  note: row.note,
  isKept: row.isKept,
  updatedBy: row.updatedBy,
  updatedAt: row.updatedAt.toISOString(),
});

const isEmptyAnnotation = ({
  rating,
  tags,
  note,
  isKept,
}: Pick<ExecutionAnnotation, 'rating' | 'tags' | 'note' | 'isKept'>) =>
  rating === null && tags.length === 0 && note === '' && !isKept;

const getAnnotationOperation = defineOperation({
  id: 'annotations.get',
  method: 'GET',
  path: ANNOTATION_PATH,
  summary: 'Read the annotation of an execution',
  tag: ANNOTATION_TAG,
  access: memberAccess('execution', 'read'),
  effect: readEffect(),
  params: AnnotationParams,
  reply: jsonReply(AnnotationResponse),
  async run({ db, caller: { workspaceId } }, { params: { id } }) {
    if ((await db.execution.count({ where: { id, workspaceId } })) === 0) throw notFoundProblem('The execution');
    const row = await db.executionAnnotation.findUnique({ where: { executionId: id } });
    return row ? toAnnotationResponse(row) : EMPTY_ANNOTATION;
  },
});

/** Keeps the execution from being deleted until the transaction ends. The engine can write it meanwhile. */
async function lockRunShared(db: DatabaseClient, workspaceId: string, id: string): Promise<void> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM execution WHERE id = ${id} AND workspace_id = ${workspaceId} FOR KEY SHARE`;
  if (rows.length === 0) throw notFoundProblem('The execution');
}

const setAnnotationOperation = defineOperation({
  id: 'annotations.set',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: ANNOTATION_PATH,
  summary: 'Annotate an execution',
  description:
    'A rating, tags and a note, for people who evaluate runs. Fields that are left out stay as they are. With `isKept` the ' +
    'clean-up does not remove the execution; deleting its workflow does. The annotation is removed with the execution.',
  tag: ANNOTATION_TAG,
  access: memberAccess('execution', 'update'),
  effect: writeEffect('resource_access'),
  params: AnnotationParams,
  body: jsonBody(AnnotateRunRequest),
  reply: jsonReply(AnnotationResponse, { resource: AnnotationResponse }),
  async run({ db, caller, note }, { params: { id }, body }) {
    await lockRunShared(db, caller.workspaceId, id);
    note({ metadata: { changed: Object.keys(body) } });
    const where = { executionId: id };
    const content = { ...body, updatedBy: caller.userId, updatedAt: new Date() };
    const row = await db.executionAnnotation.upsert({
      where,
      create: { ...where, workspaceId: caller.workspaceId, ...content },
      update: content,
    });
    if (!isEmptyAnnotation(row)) return toAnnotationResponse(row);
    await db.executionAnnotation.delete({ where });
    return EMPTY_ANNOTATION;
  },
});

/** The list of tags reads at most this many annotations, the latest ones. */
const MAX_TAGGED_ANNOTATIONS = 5000;

const listRunTagsOperation = defineOperation({
  id: 'annotations.tags',
  method: 'GET',
  path: '/api/execution-tags',
  summary: 'List the tags of executions',
  description: 'Those of the 5,000 latest annotations with tags, the most frequent first.',
  tag: ANNOTATION_TAG,
  access: memberAccess('execution', 'read', { isFiltered: true }),
  effect: readEffect(),
  reply: jsonReply(ListRunTagsResponse),
  async run({ db, caller }) {
    const visible = visibleRowsFilter(caller, 'execution');
    const seesAll = Object.keys(visible).length === 0;
    const rows = await db.executionAnnotation.findMany({
      where: { workspaceId: caller.workspaceId, tags: { isEmpty: false }, ...(seesAll ? {} : { execution: visible }) },
      select: { tags: true },
      orderBy: { updatedAt: 'desc' },
      take: MAX_TAGGED_ANNOTATIONS,
    });
    const counts = new Map<string, number>();
    for (const one of rows.flatMap((row) => row.tags)) counts.set(one, (counts.get(one) ?? 0) + 1);
    const data = [...counts].map(([name, count]) => ({ tag: name, count }));
    return { data: data.toSorted((a, b) => b.count - a.count || a.tag.localeCompare(b.tag)) };
  },
});

export const annotationOperations = [getAnnotationOperation, setAnnotationOperation, listRunTagsOperation];
