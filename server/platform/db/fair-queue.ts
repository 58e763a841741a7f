/** A table of work that waits, with a column `workspace_id` and an index on `(workspace_id, <order>)`. */
export interface WaitingWorkTable {
  table: string;
  /** The columns of its key. */
  key: string;
  /** SQL: the rows that count, as the partial index has it. */
  condition?: string;
  /**
   * The column by which the rows of one workspace are served. A row is due at the time in `due_at`, with an `id` at
   * once.
   */
  order: 'due_at' | 'id';
}

/**
 * SQL of the CTEs `turn` and `taken`, to follow `WITH RECURSIVE`. `taken` has `workspace_id` and the key of the rows
 * that are served now, locked; another process passes over them. A loose index scan lists the workspaces after the one
 * in `cursor`, and each gets an equal share of the batch: the cost does not depend on how much one of them has waiting.
 */
export function fairBatchSql(
  { table, key, condition = 'true', order }: WaitingWorkTable,
  cursor: string,
  batch: number,
) {
  const isDue = order === 'due_at' ? 'due_at <= now()' : 'true';
  const next = (after: string) =>
    `SELECT workspace_id, ${order} FROM ${table} WHERE ${condition} AND workspace_id > ${after} ORDER BY workspace_id, ${order} LIMIT 1`;
  const share = batch === 1 ? '1' : `(SELECT ceil(${batch}::numeric / greatest(count(*), 1)) FROM turn WHERE ${isDue})`;
  return `
turn AS (
  (SELECT first.*, 1 AS place FROM (${next(cursor)}) first)
  UNION ALL
  SELECT next.*, turn.place + 1 FROM turn CROSS JOIN LATERAL (${next('turn.workspace_id')}) next ${batch === 1 ? '' : `WHERE turn.place < ${batch}`}
),
taken AS MATERIALIZED (
  SELECT turn.workspace_id, due.* FROM turn CROSS JOIN LATERAL (
    SELECT ${key} FROM ${table} WHERE ${condition} AND workspace_id = turn.workspace_id AND ${isDue}
    ORDER BY ${order} LIMIT ${share} FOR UPDATE SKIP LOCKED) due
  WHERE ${isDue.replace('due_at', 'turn.due_at')} LIMIT ${batch}
)`;
}

/**
 * SQL: a row if anything waits, due or not. Loops ask this first: it costs a fraction of a transaction, and an idle
 * process need not load Prisma's engine.
 */
export const anyWaitingSql = ({ table, condition = 'true' }: Pick<WaitingWorkTable, 'table' | 'condition'>): string =>
  `SELECT FROM ${table} WHERE ${condition} LIMIT 1`;

/** The position of one process in its rounds through the workspaces. */
export class WorkspaceRoundRobin {
  private cursor = '';

  /** Takes what is next after the workspace that was served last; from the first workspace on after the last one. */
  async take<Row extends { workspaceId: string }>(rowsAfter: (cursor: string) => Promise<Row[]>): Promise<Row[]> {
    let rows = await rowsAfter(this.cursor);
    if (rows.length === 0 && this.cursor !== '') rows = await rowsAfter('');
    this.cursor = rows.reduce((last, { workspaceId }) => (workspaceId > last ? workspaceId : last), '');
    return rows;
  }
}
