import type { AuditEntry, AuditFilter } from '@/contract/audit';
import { pool } from '@/server/db/client';

type Row = Omit<AuditEntry, 'timestamp'> & { timestamp: Date; sequence: string };

const COLUMNS = 'id, sequence, timestamp, category, action, actor, resource, result, metadata';

/** SQL: the JSON object has this id. As text, which is exact because quotes in values are escaped: `->>` fails on a NUL and on half a surrogate pair. */
const hasId = (column: string, id: string) =>
  `(strpos(${column}::text, '"id":' || to_json(${id}::text)) > 0 OR strpos(${column}::text, '"id" : ' || to_json(${id}::text)) > 0)`;

// Absent filters are null: one statement serves all combinations, and user text is only ever a parameter.
const MATCHING = `
  FROM audit_entry WHERE workspace_id = $1
    AND ($2::text IS NULL OR category = $2)
    AND ($3::text IS NULL OR action = $3)
    AND ($4::text IS NULL OR ${hasId('actor', '$4')})
    AND ($5::text IS NULL OR ${hasId('resource', '$5')})
    AND ($6::text IS NULL OR result = $6)
    AND ($7::timestamptz IS NULL OR timestamp >= $7)
    AND ($8::timestamptz IS NULL OR timestamp < $8)`;

const BEFORE = 'AND ($9::timestamptz IS NULL OR (timestamp, sequence) < ($9, $10::bigint))';
const positionValues = (before: Position | undefined) => [before?.timestamp ?? null, before?.sequence ?? null];

const valuesOf = (workspaceId: string, filter: AuditFilter) => [
  workspaceId,
  filter.category ?? null,
  filter.action ?? null,
  filter.actorId ?? null,
  filter.resourceId ?? null,
  filter.result ?? null,
  filter.from ?? null,
  filter.to ?? null,
];

/** Actions of the service itself, such as creating the first owner, have no address and no request. */
const NO_REQUEST = { ipAddress: '', userAgent: '', requestId: '' };

export const presentEntry = ({ sequence: _, timestamp, actor, metadata, ...rest }: Row): AuditEntry => ({
  ...rest,
  actor: { ...actor, email: actor.email ?? null },
  metadata: { ...NO_REQUEST, ...metadata },
  timestamp: timestamp.toISOString(),
});

/** Where an entry stands in the order of entries. */
export type Position = Pick<Row, 'timestamp' | 'sequence'>;

/** A page of a workspace's entries, newest first, after `before` if that is given, and the number of matches. */
export async function readEntries(
  workspaceId: string,
  filter: AuditFilter,
  { limit, offset, before }: { limit: number; offset: number; before?: Position | undefined },
): Promise<{ rows: Row[]; total: number }> {
  const values = valuesOf(workspaceId, filter);
  const [entries, countResult] = await Promise.all([
    pool().query<Row>(
      `SELECT ${COLUMNS} ${MATCHING} ${BEFORE} ORDER BY timestamp DESC, sequence DESC LIMIT $11 OFFSET $12`,
      [...values, ...positionValues(before), limit, offset],
    ),
    pool().query<{ total: string }>(`SELECT count(*) AS total ${MATCHING}`, values),
  ]);
  return { rows: entries.rows, total: Number(countResult.rows[0]?.total ?? 0) };
}

const BATCH = 1000;

/** The position of an entry of this workspace; undefined if it has no such entry. */
export async function positionOf(workspaceId: string, id: string): Promise<Position | undefined> {
  const { rows } = await pool().query<Position>(
    'SELECT timestamp, sequence FROM audit_entry WHERE id = $2 AND workspace_id = $1',
    [workspaceId, id],
  );
  return rows[0];
}

/** All matching entries before a position, newest first, in batches: any number needs the memory of one batch. */
export async function* entriesBefore(
  workspaceId: string,
  filter: AuditFilter,
  before: Position | undefined,
  batch: number,
): AsyncGenerator<AuditEntry[]> {
  const values = valuesOf(workspaceId, filter);
  let last = before;
  for (;;) {
    const { rows }: { rows: Row[] } = await pool().query<Row>(
      `SELECT ${COLUMNS} ${MATCHING} ${BEFORE} ORDER BY timestamp DESC, sequence DESC LIMIT $11`,
      [...values, ...positionValues(last), batch],
    );
    if (rows.length > 0) yield rows.map(presentEntry);
    last = rows.at(-1);
    if (rows.length < batch || !last) return;
  }
}

/** All matching entries, newest first, for an export. */
export const allEntries = (workspaceId: string, filter: AuditFilter) =>
  entriesBefore(workspaceId, filter, undefined, BATCH);
