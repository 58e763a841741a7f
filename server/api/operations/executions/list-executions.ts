import type { z } from 'zod';
import {
  ListExecutionsResponse,
  ListExecutionsQuery,
  type ExecutionStatus,
  type RunError,
  type TriggerSource,
  type TriggerType,
} from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';
import type { Execution as Row, ExecutionAnnotation, Prisma } from '@/generated/prisma/client';
import { visibleRowsFilter } from '@/server/people/access/filter';
import { visibleValue } from '@/server/people/access/links';
import { rowsAfterCursor, sliceCursorPage, parseCursor } from '@/server/api/operation/cursor';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import { findOriginalTriggers } from '@/server/engine/report/original-trigger';
import { readUntilNodeNames } from '@/server/engine/report/report';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { countExecutions } from '@/server/engine/store/tally';
import { findWorkflowIdsByName } from '../workflows/workflow-rows';
import { toAnnotationResponse } from './annotations';

type ListedExecutionRow = Omit<Row, 'input' | 'output'> & {
  workflow: { name: string };
  annotation: ExecutionAnnotation | null;
};

interface RunListLookups {
  /** The keys are the ids of the reruns. */
  originals: ReadonlyMap<string, TriggerType>;
  untilNodes: ReadonlyMap<string, string>;
}

const toExecutionSummary = (row: ListedExecutionRow, { originals, untilNodes }: RunListLookups) => ({
  id: row.id,
  workflowId: row.workflowId,
  workflowName: row.workflow.name,
  annotation: row.annotation && toAnnotationResponse(row.annotation),
  workflowVersion: row.workflowVersion,
  status: row.status as ExecutionStatus,
  trigger: row.trigger as TriggerType,
  triggeredBy: row.triggeredBy as TriggerSource | null,
  startedAt: row.startedAt.toISOString(),
  completedAt: row.completedAt?.toISOString(),
  createdAt: row.createdAt.toISOString(),
  createdBy: row.createdBy,
  rerunOf: row.rerunOf,
  originalTrigger: originals.get(row.id),
  parentExecutionId: row.parentId,
  untilNodeId: row.untilNodeId,
  untilNodeName: untilNodes.get(row.id),
  startNodeId: row.startNodeId,
  error: row.error as RunError | null,
  dataRemovedAt: row.dataRemovedAt?.toISOString(),
});

const CANCELLED_CONDITION = { status: 'failed', error: { path: ['code'], equals: 'CANCELLED' } };

/** Selects the runs that were cancelled, or all others. */
const cancelledFilter = (isWanted: boolean): Prisma.ExecutionWhereInput =>
  isWanted
    ? CANCELLED_CONDITION
    : { OR: [{ status: { not: 'failed' } }, { NOT: { error: CANCELLED_CONDITION.error } }] };

type AnnotationQuery = Pick<z.output<typeof ListExecutionsQuery>, 'rating' | 'tag' | 'kept'>;

/** Selects runs by their annotations. Returns undefined if the query does not mention them. */
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

export const listExecutionsOperation = defineOperation({
  id: 'executions.list',
  method: 'GET',
  path: '/api/executions',
  summary: 'List executions',
  description:
    'Newest first unless `sort` says otherwise, without input, output and node results. `from` and `to` bound `createdAt`. ' +
    'A cursor goes on from the newest, so it has no other `sort`.',
  tag: 'Executions',
  access: memberAccess('execution', 'read', { isFiltered: true }),
  effect: readEffect(),
  query: ListExecutionsQuery,
  reply: jsonReply(ListExecutionsResponse),
  async run({ db, caller }, { query }) {
    const { limit, offset, cursor, sort, from, to, search, cancelled, partial, ...filter } = query;
    const isNewestFirst = sort === '-createdAt';
    const direction = isNewestFirst ? 'desc' : 'asc';
    const { workspaceId } = caller;
    const { workflowId, status, trigger } = filter;
    const annotation = annotationFilter(query);
    const isId = search?.startsWith('exec_') === true;
    const workflowIds =
      search && !isId ? await findWorkflowIdsByName(db, workspaceId, search, workflowId) : workflowId && [workflowId];
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
      ...(filter.status && !isFinalStatus(filter.status) ? { completedAt: null } : {}),
    };
    const visible = visibleRowsFilter(caller, 'execution');
    const position = parseCursor(cursor, offset);
    if (position && !isNewestFirst) throw invalidFieldProblem('sort', 'cannot be combined with a cursor');
    const where = { AND: [requestFilter, visible] };
    const seesAll = Object.keys(visible).length === 0 && !isId && !cancelled && !annotation && partial !== 'true';
    const countAll = () =>
      countExecutions({ workspaceId, from, to, status, trigger, workflowIds: workflowIds || undefined });
    const countPartial = () => db.execution.count({ where: { ...requestFilter, untilNodeId: { not: null } } });
    const [rows, total] = await Promise.all([
      db.execution.findMany({
        where: { AND: [...where.AND, rowsAfterCursor('createdAt', position) ?? {}] },
        omit: { input: true, output: true },
        include: { workflow: { select: { name: true } }, annotation: true },
        orderBy: [{ createdAt: direction }, { id: direction }],
        take: limit + 1,
        skip: offset,
      }),
      // The tally covers whole workspaces and workflows; a filtered view is counted row by row. Partial runs are few.
      seesAll
        ? Promise.all([countAll(), partial ? countPartial() : 0]).then(([all, left]) => Math.max(0, all - left))
        : db.execution.count({ where }),
    ]);
    const { rows: shown, nextCursor } = sliceCursorPage(rows, limit, ({ createdAt: at, id }) => ({ at, id }));
    const repetitions = shown.filter((row) => row.trigger === 'rerun').map(({ id }) => id);
    const [originals, untilNodes] = await Promise.all([
      findOriginalTriggers(workspaceId, repetitions),
      readUntilNodeNames(shown),
    ]);
    const data = shown.map((row) => toExecutionSummary(row, { originals, untilNodes }));
    return { data: visibleValue(caller, data), total, limit, offset, nextCursor: isNewestFirst ? nextCursor : null };
  },
});
