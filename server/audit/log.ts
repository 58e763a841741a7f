import type { AuditEntry, AuditFilter } from '@/contract/audit';
import { pool } from '@/server/db/client';

type Row = Omit<AuditEntry, 'timestamp'> & { timestamp: Date; sequence: string };

const COLUMNS = 'id, sequence, timestamp, category, action, actor, resource, result, metadata';

// Absent filters are null: one statement serves all combinations, and user text is only ever a parameter.
const MATCHING = `
  FROM audit_entry WHERE workspace_id = $1
    AND ($2::text IS NULL OR category = $2)
    AND ($3::text IS NULL OR action = $3)
    AND ($4::text IS NULL OR actor->>'id' = $4)
    AND ($5::text IS NULL OR resource->>'id' = $5)
    AND ($6::text IS NULL OR result = $6)
    AND ($7::timestamptz IS NULL OR timestamp >= $7)
    AND ($8::timestamptz IS NULL OR timestamp < $8)`;

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

const presentEntry = ({ sequence: _, timestamp, actor, metadata, ...rest }: Row): AuditEntry => ({
  ...rest,
  actor: { ...actor, email: actor.email ?? null },
  metadata: { ...NO_REQUEST, ...metadata },
  timestamp: timestamp.toISOString(),
});

/** A page of a workspace's entries, newest first, and the number of matches. */
export async function readEntries(
  workspaceId: string,
  filter: AuditFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ data: AuditEntry[]; total: number }> {
  const values = valuesOf(workspaceId, filter);
  const [entries, countResult] = await Promise.all([
    pool().query<Row>(`SELECT ${COLUMNS} ${MATCHING} ORDER BY timestamp DESC, sequence DESC LIMIT $9 OFFSET $10`, [
      ...values,
      limit,
      offset,
    ]),
    pool().query<{ total: string }>(`SELECT count(*) AS total ${MATCHING}`, values),
  ]);
  return { data: entries.rows.map(presentEntry), total: Number(countResult.rows[0]?.total ?? 0) };
}

const BATCH = 1000;

/** All matching entries, newest first, in batches: an export of any size needs the memory of one batch. */
export async function* allEntries(workspaceId: string, filter: AuditFilter): AsyncGenerator<AuditEntry[]> {
  const values = valuesOf(workspaceId, filter);
  let last = null as Row | null;
  for (;;) {
    const { rows }: { rows: Row[] } = await pool().query<Row>(
      `SELECT ${COLUMNS} ${MATCHING} AND ($9::timestamptz IS NULL OR (timestamp, sequence) < ($9, $10::bigint))
       ORDER BY timestamp DESC, sequence DESC LIMIT ${BATCH}`,
      [...values, last?.timestamp ?? null, last?.sequence ?? null],
    );
    if (rows.length > 0) yield rows.map(presentEntry);
    last = rows.at(-1) ?? null;
    if (rows.length < BATCH || !last) return;
  }
}
