import type { z } from 'zod';
import { ExecutionPage, ExecutionQuery, type ExecutionStatus, type RunError, type Trigger } from '@/contract/execution';
import { isFinal } from '@/contract/states';
import type { Execution as Row, ExecutionAnnotation, Prisma } from '@/generated/prisma/client';
import { visibleTo } from '@/server/access/filter';
import { shownTo } from '@/server/access/links';
import { after, pageOf, readCursor } from '@/server/api/cursor';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonReply, readEffect } from '@/server/api/operation-parts';
import { originalTriggers } from '@/server/engine/report/original-trigger';
import { untilNodeNames } from '@/server/engine/report/report';
import { countExecutions } from '@/server/engine/store/tally';
import { workflowsCalled } from '../workflows/content';
import { presentAnnotation } from './annotations';

type Listed = Omit<Row, 'input' | 'output'> & { workflow: { name: string }; annotation: ExecutionAnnotation | null };

interface Found {
  /** By the id of the run. */
  originals: ReadonlyMap<string, Trigger>;
  untilNodes: ReadonlyMap<string, string>;
}

const summary = (row: Listed, { originals, untilNodes }: Found) => ({
  id: row.id,
  workflowId: row.workflowId,
  workflowName: row.workflow.name,
  annotation: row.annotation && presentAnnotation(row.annotation),
  workflowVersion: row.workflowVersion,
  status: row.status as ExecutionStatus,
  trigger: row.trigger as Trigger,
  startedAt: row.startedAt.toISOString(),
  completedAt: row.completedAt?.toISOString(),
  createdAt: row.createdAt.toISOString(),
  createdBy: row.createdBy,
  rerunOf: row.rerunOf,
  originalTrigger: originals.get(row.id),
  parentExecutionId: row.parentId,
  untilNodeId: row.untilNodeId,
  untilNodeName: untilNodes.get(row.id),
  error: row.error as RunError | null,
  dataRemovedAt: row.dataRemovedAt?.toISOString(),
});

const WAS_CANCELLED = { status: 'failed', error: { path: ['code'], equals: 'CANCELLED' } };

/** Runs that were cancelled, or all others. */
const cancelledFilter = (isWanted: boolean): Prisma.ExecutionWhereInput =>
  isWanted ? WAS_CANCELLED : { OR: [{ status: { not: 'failed' } }, { NOT: { error: WAS_CANCELLED.error } }] };

type AnnotationQuery = Pick<z.output<typeof ExecutionQuery>, 'rating' | 'tag' | 'kept'>;

/** Runs by their annotations. Undefined: all. */
function annotationFilter({ rating, tag: name, kept }: AnnotationQuery): Prisma.ExecutionWhereInput | undefined {
  if (!rating && !name && !kept) return undefined;
  const is: Prisma.ExecutionAnnotationWhereInput = {
    rating,
    ...(name && { tags: { has: name } }),
    ...(kept === 'true' && { isKept: true }),
  };
  const isNotKept: Prisma.ExecutionWhereInput = { OR: [{ annotation: null }, { annotation: { isKept: false } }] };
  return {
    ...((rating || name || kept === 'true') && { annotation: { is } }),
    ...(kept === 'false' && { AND: [isNotKept] }),
  };
}

export const listExecutions = operation({
  id: 'executions.list',
  method: 'GET',
  path: '/api/executions',
  summary: 'List executions',
  description: 'Newest first, without input, output and node results. `from` and `to` bound `createdAt`.',
  tag: 'Executions',
  access: memberAccess('execution', 'read', { isFiltered: true }),
  effect: readEffect(),
  query: ExecutionQuery,
  reply: jsonReply(ExecutionPage),
  async run({ db, caller }, { query }) {
    const { limit, offset, cursor, from, to, search, cancelled, partial, ...filter } = query;
    const { workspaceId } = caller;
    const { workflowId, status, trigger } = filter;
    const annotation = annotationFilter(query);
    const isId = search?.startsWith('exec_') === true;
    const workflowIds =
      search && !isId ? await workflowsCalled(db, workspaceId, search, workflowId) : workflowId && [workflowId];
    const requestFilter = {
      workspaceId,
      status,
      trigger,
      ...(isId ? { id: search } : {}),
      ...(workflowIds ? { workflowId: { in: workflowIds } } : {}),
      createdAt: { gte: from, lte: to },
      ...(cancelled && cancelledFilter(cancelled === 'true')),
      ...annotation,
      ...(partial && { untilNodeId: partial === 'true' ? { not: null } : null }),
      // Redundant with the status, but it selects the partial index of the few active runs.
      ...(filter.status && !isFinal(filter.status) ? { completedAt: null } : {}),
    };
    const visible = visibleTo(caller, 'execution');
    const position = readCursor(cursor, offset);
    const where = { AND: [requestFilter, visible] };
    const seesAll = Object.keys(visible).length === 0 && !isId && !cancelled && !annotation && partial !== 'true';
    const countAll = () =>
      countExecutions({ workspaceId, from, to, status, trigger, workflowIds: workflowIds || undefined });
    const countPartial = () => db.execution.count({ where: { ...requestFilter, untilNodeId: { not: null } } });
    const [rows, total] = await Promise.all([
      db.execution.findMany({
        where: { AND: [...where.AND, after('createdAt', position) ?? {}] },
        omit: { input: true, output: true },
        include: { workflow: { select: { name: true } }, annotation: true },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit + 1,
        skip: offset,
      }),
      // The tally covers whole workspaces and workflows; a filtered view is counted row by row. Partial runs are few.
      seesAll
        ? Promise.all([countAll(), partial ? countPartial() : 0]).then(([all, left]) => Math.max(0, all - left))
        : db.execution.count({ where }),
    ]);
    const { rows: shown, nextCursor } = pageOf(rows, limit, ({ createdAt: at, id }) => ({ at, id }));
    const repetitions = shown.filter((row) => row.trigger === 'rerun').map(({ id }) => id);
    const [originals, untilNodes] = await Promise.all([
      originalTriggers(workspaceId, repetitions),
      untilNodeNames(shown),
    ]);
    const data = shown.map((row) => summary(row, { originals, untilNodes }));
    return { data: shownTo(caller, data), total, limit, offset, nextCursor };
  },
});
