import type { AuditEntryResponse, AuditFilter } from '@/contract/audit';
import { databasePool } from '@/server/platform/db/client';

type AuditLogRow = Omit<AuditEntryResponse, 'timestamp'> & { timestamp: Date; sequence: string };

const AUDIT_COLUMNS = 'id, sequence, timestamp, category, action, actor, resource, result, metadata';

/**
 * SQL: the JSON object has this id. As text, which is exact because quotes in values are escaped: `->>` fails on a NUL
 * and on half a surrogate pair.
 */
const jsonHasIdSql = (column: string, id: string) =>
  `(strpos(${column}::text, '"id":' || to_json(${id}::text)) > 0 OR strpos(${column}::text, '"id" : ' || to_json(${id}::text)) > 0)`;

// Absent filters are null: one statement serves all combinations, and user text is only ever a parameter.
const MATCHING_ENTRIES_SQL = `
  FROM audit_entry WHERE workspace_id = $1
    AND ($2::text IS NULL OR category = $2)
    AND ($3::text IS NULL OR action = $3)
    AND ($4::text IS NULL OR ${jsonHasIdSql('actor', '$4')})
    AND ($5::text IS NULL OR ${jsonHasIdSql('resource', '$5')})
    AND ($6::text IS NULL OR result = $6)
    AND ($7::timestamptz IS NULL OR timestamp >= $7)
    AND ($8::timestamptz IS NULL OR timestamp < $8)`;

const BEFORE_POSITION_SQL = 'AND ($9::timestamptz IS NULL OR (timestamp, sequence) < ($9, $10::bigint))';
const positionParameters = (before: AuditPosition | undefined) => [before?.timestamp ?? null, before?.sequence ?? null];

const filterParameters = (workspaceId: string, filter: AuditFilter) => [
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

export const toAuditResponse = ({
  sequence: _,
  timestamp,
  actor,
  metadata,
  ...rest
}: AuditLogRow): AuditEntryResponse => ({
  ...rest,
  actor: { ...actor, email: actor.email ?? null },
  metadata: { ...NO_REQUEST, ...metadata },
  timestamp: timestamp.toISOString(),
});

/** Where an entry stands in the order of entries. */
export type AuditPosition = Pick<AuditLogRow, 'timestamp' | 'sequence'>;

/** A page of a workspace's entries, newest first, after `before` if that is given, and the number of matches. */
export async function readAuditEntries(
  workspaceId: string,
  filter: AuditFilter,
  { limit, offset, before }: { limit: number; offset: number; before?: AuditPosition | undefined },
): Promise<{ rows: AuditLogRow[]; total: number }> {
  const values = filterParameters(workspaceId, filter);
  const [entries, countResult] = await Promise.all([
    databasePool().query<AuditLogRow>(
      `SELECT ${AUDIT_COLUMNS} ${MATCHING_ENTRIES_SQL} ${BEFORE_POSITION_SQL} ORDER BY timestamp DESC, sequence DESC LIMIT $11 OFFSET $12`,
      [...values, ...positionParameters(before), limit, offset],
    ),
    databasePool().query<{ total: string }>(`SELECT count(*) AS total ${MATCHING_ENTRIES_SQL}`, values),
  ]);
  return { rows: entries.rows, total: Number(countResult.rows[0]?.total ?? 0) };
}

const EXPORT_BATCH_SIZE = 1000;

/** The position of an entry of this workspace; undefined if it has no such entry. */
export async function findAuditPosition(workspaceId: string, id: string): Promise<AuditPosition | undefined> {
  const { rows } = await databasePool().query<AuditPosition>(
    'SELECT timestamp, sequence FROM audit_entry WHERE id = $2 AND workspace_id = $1',
    [workspaceId, id],
  );
  return rows[0];
}

/** All matching entries before a position, newest first, in batches: any number needs the memory of one batch. */
export async function* readEntriesBefore(
  workspaceId: string,
  filter: AuditFilter,
  before: AuditPosition | undefined,
  batch: number,
): AsyncGenerator<AuditEntryResponse[]> {
  const values = filterParameters(workspaceId, filter);
  let last = before;
  for (;;) {
    const { rows }: { rows: AuditLogRow[] } = await databasePool().query<AuditLogRow>(
      `SELECT ${AUDIT_COLUMNS} ${MATCHING_ENTRIES_SQL} ${BEFORE_POSITION_SQL} ORDER BY timestamp DESC, sequence DESC LIMIT $11`,
      [...values, ...positionParameters(last), batch],
    );
    if (rows.length > 0) yield rows.map(toAuditResponse);
    last = rows.at(-1);
    if (rows.length < batch || !last) return;
  }
}

/** All matching entries, newest first, for an export. */
export const readAllEntries = (workspaceId: string, filter: AuditFilter) =>
  readEntriesBefore(workspaceId, filter, undefined, EXPORT_BATCH_SIZE);
