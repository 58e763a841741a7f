/** SQL: the webhook and all rows that its deliveries depend on. */
export const WEBHOOK_TABLES_SQL = `webhook h JOIN workflow f ON f.id = h.workflow_id
  JOIN workspace w ON w.id = f.workspace_id AND w.deleted_at IS NULL`;

/** SQL: a text that changes whenever one of these rows is written: PostgreSQL's own version of the row (xmin). */
export const WEBHOOK_VERSION_SQL = `concat_ws('.', h.xmin, f.xmin, w.xmin)`;

/**
 * SQL: how senders are verified, without secrets. A column of its own has what processes of the release before cannot
 * read.
 */
export const WEBHOOK_VERIFICATION_SQL = `CASE WHEN h.verification ->> 'kind' = 'jwt'
  THEN h.verification || jsonb_build_object('allowWithoutExpiry', h.allow_without_expiry) ELSE h.verification END`;
