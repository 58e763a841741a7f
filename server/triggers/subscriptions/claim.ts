import type { SubscriptionStatus } from '@/contract/triggers/subscription';
import type { DeletedCredential } from '@/server/connectors/vault';
import { databasePool } from '@/server/platform/db/client';

/** Longer than an agreement with a provider may take. */
const SUBSCRIPTION_LEASE_SECONDS = 180;
/** Agreements of one workspace at a time, so that its slow providers leave capacity for others. */
const MAX_SUBSCRIPTIONS_PER_WORKSPACE = 4;

/** A subscription that this process brings into agreement with its provider; `token` fences what it stores. */
export interface ClaimedSubscription {
  id: string;
  token: string;
  workspaceId: string;
  workflowId: string;
  webhookId: string;
  isCurrent: boolean;
  url: string;
  connectorId: string;
  event: string;
  parameters: Record<string, unknown>;
  /** Null: none is chosen yet, so nothing is wanted. */
  credentialId: string | null;
  status: SubscriptionStatus;
  mayExist: boolean;
  externalId: string | null;
  expiresAt: Date | null;
  /** When it is to be renewed; null: at once, if it ends. */
  renewsAt: Date | null;
  failures: number;
  removalSince: Date | null;
  keptCredential: Omit<DeletedCredential, 'id' | 'workspaceId' | 'sealed'> | null;
  keptSealed: string | null;
  /** Whether the provider shall have it now. */
  isWanted: boolean;
  /** The webhook still exists. */
  hasWebhook: boolean;
  workflowVersion: number | null;
  /** The sealed secrets of the webhook. */
  sealedSecrets: string | null;
  /** Null: the credential was deleted. */
  credentialVersion: number | null;
}

/**
 * SQL: leases subscriptions for which what is wanted differs from what the provider has, or is to be checked. A newer
 * subscription of a webhook waits until the one before is removed.
 */
const CLAIM_SUBSCRIPTIONS_SQL = `
WITH busy AS (
  SELECT workspace_id, count(*) AS under_way FROM webhook_subscription WHERE lease_until > now() GROUP BY workspace_id
), seen AS (
  SELECT s.*, h.id IS NOT NULL AS has_webhook,
    (s.is_current AND s.credential_id IS NOT NULL AND h.enabled AND w.status = 'active' AND k.deleted_at IS NULL) IS TRUE
      AS is_wanted,
    s.failures = 0 OR s.next_at <= now() AS may_try,
    c.version <> coalesce(s.credential_version, -1) AS has_other_credential
  FROM webhook_subscription s
  LEFT JOIN webhook h ON h.id = s.webhook_id
  LEFT JOIN workflow w ON w.id = h.workflow_id
  LEFT JOIN workspace k ON k.id = w.workspace_id
  LEFT JOIN credential c ON c.id = s.credential_id
  WHERE s.home = $3 AND (s.lease_until IS NULL OR s.lease_until <= now())
), due AS (
  SELECT s.id, s.is_wanted, s.has_webhook, coalesce(b.under_way, 0)
    + row_number() OVER (PARTITION BY s.workspace_id ORDER BY s.next_at, s.id) AS place
  FROM seen s LEFT JOIN busy b ON b.workspace_id = s.workspace_id
  WHERE CASE WHEN s.is_wanted THEN
    (s.status IN ('waiting', 'removed') AND s.may_try AND NOT EXISTS (
      SELECT FROM webhook_subscription o WHERE o.webhook_id = s.webhook_id AND NOT o.is_current AND o.may_exist))
    OR (s.status = 'active' AND s.next_at <= now())
    OR (s.status = 'failed' AND s.has_other_credential)
  ELSE
    s.may_try AND (s.may_exist OR s.status IN ('active', 'failed') OR s.failures > 0 OR NOT (s.has_webhook AND s.is_current))
  END
), chosen AS (
  SELECT s.id, d.is_wanted, d.has_webhook FROM due d JOIN webhook_subscription s ON s.id = d.id
  WHERE d.place <= ${MAX_SUBSCRIPTIONS_PER_WORKSPACE} AND (s.lease_until IS NULL OR s.lease_until <= now())
  ORDER BY d.place, s.next_at LIMIT $1
  FOR NO KEY UPDATE OF s SKIP LOCKED
)
UPDATE webhook_subscription s SET lease_token = $2 || '.' || s.id,
  lease_until = now() + interval '${SUBSCRIPTION_LEASE_SECONDS} seconds'
FROM chosen c LEFT JOIN webhook_subscription o ON o.id = c.id LEFT JOIN webhook h ON h.id = o.webhook_id
  LEFT JOIN workflow w ON w.id = h.workflow_id LEFT JOIN credential k ON k.id = o.credential_id
WHERE s.id = c.id
RETURNING s.id, s.lease_token AS token, s.workspace_id AS "workspaceId", s.workflow_id AS "workflowId",
  s.webhook_id AS "webhookId", s.is_current AS "isCurrent", s.url, s.connector_id AS "connectorId", s.event, s.parameters,
  s.credential_id AS "credentialId", s.status, s.may_exist AS "mayExist", s.external_id AS "externalId",
  s.expires_at AS "expiresAt", s.renews_at AS "renewsAt", s.failures, s.removal_since AS "removalSince", s.kept_credential AS "keptCredential",
  s.kept_sealed AS "keptSealed", c.is_wanted AS "isWanted", c.has_webhook AS "hasWebhook",
  w.version AS "workflowVersion", h.secret AS "sealedSecrets",
  k.version AS "credentialVersion"`;

/** Claims due subscriptions of the installation at `home`. `round`: an id that no other claim has. */
export async function claimDueSubscriptions(
  limit: number,
  round: string,
  home: string,
): Promise<ClaimedSubscription[]> {
  const values = [limit, round, home];
  const query = { name: 'triggers.claim-subscriptions', text: CLAIM_SUBSCRIPTIONS_SQL, values };
  return (await databasePool().query<ClaimedSubscription>(query)).rows;
}

/**
 * Returns the milliseconds until the next check, renewal or attempt of the installation at `home`, or until a lease
 * ends; null: nothing is planned.
 */
export async function readSubscriptionWaitMs(home: string): Promise<number | null> {
  const { rows } = await databasePool().query<{ waitMs: number | null }>({
    name: 'triggers.wait-for-subscription',
    text: `SELECT ceil(extract(epoch FROM min(at) - now()) * 1000)::float8 AS "waitMs" FROM (
        SELECT next_at AS at FROM webhook_subscription WHERE home = $1 AND next_at > now()
        UNION ALL SELECT lease_until FROM webhook_subscription WHERE home = $1 AND lease_until > now()
      ) planned`,
    values: [home],
  });
  return rows[0]?.waitMs ?? null;
}

/** What is stored about a subscription after the provider was asked. Undefined: as it was. */
export interface SubscriptionOutcome {
  status: SubscriptionStatus;
  mayExist?: boolean;
  externalId: string | null;
  expiresAt: Date | null;
  renewsAt: Date | null;
  /** Null: all is as it should be. */
  errorMessage: string | null;
  failures: number;
  nextAt: Date;
}

const STORE_OUTCOME_SQL = `
WITH stored AS (
  UPDATE webhook_subscription SET status = $3, may_exist = coalesce($4, may_exist), external_id = $5, expires_at = $6,
    error_message = $7, error_at = CASE WHEN $7::text IS NULL THEN NULL ELSE now() END, failures = $8, next_at = $9,
    credential_version = $10, renews_at = $13, lease_token = NULL, lease_until = NULL,
    account = CASE WHEN coalesce($4, may_exist) THEN account END,
    removal_since = CASE WHEN $11::bool AND coalesce($4, may_exist) THEN coalesce(removal_since, now()) END,
    kept_credential = CASE WHEN coalesce($4, may_exist) THEN kept_credential END,
    kept_sealed = CASE WHEN coalesce($4, may_exist) THEN kept_sealed END
  WHERE id = $1 AND lease_token = $2 RETURNING webhook_id
)
UPDATE webhook h SET secret = $12 FROM stored WHERE h.id = stored.webhook_id AND $12::text IS NOT NULL`;

/**
 * Stores the outcome and ends the lease; nothing, if the lease was lost. `sealedSecrets`: the webhook's, if the
 * provider has made its secret.
 */
export async function storeSubscriptionOutcome(
  { id, token, isWanted, credentialVersion }: ClaimedSubscription,
  { status, mayExist, externalId, expiresAt, renewsAt, errorMessage, failures, nextAt }: SubscriptionOutcome,
  sealedSecrets: string | null = null,
): Promise<void> {
  const values = [id, token, status, mayExist, externalId, expiresAt, errorMessage, failures, nextAt];
  await databasePool().query({
    name: 'triggers.store-subscription',
    text: STORE_OUTCOME_SQL,
    values: [...values, credentialVersion, !isWanted, sealedSecrets, renewsAt],
  });
}

/** The subscription that has the one webhook of an account. */
export interface AccountHolder {
  /** Null: the workflow belongs to another workspace, or is deleted. */
  workflowName: string | null;
}

const ACCOUNT_INDEX = 'webhook_subscription_account_key';
const isAccountTaken = (error: unknown) => (error as { constraint?: string }).constraint === ACCOUNT_INDEX;

/**
 * Stores that the provider may have the webhook from now on, before the provider is asked to make it. `account`: the
 * account at a provider that has one webhook for each. Returns what has the account already; undefined: nothing has.
 */
export async function markSubscriptionAttempt(
  { id, token, connectorId, workspaceId }: ClaimedSubscription,
  account: string | null,
): Promise<AccountHolder | undefined> {
  try {
    await databasePool().query({
      name: 'triggers.mark-subscription',
      text: 'UPDATE webhook_subscription SET may_exist = true, account = $3 WHERE id = $1 AND lease_token = $2',
      values: [id, token, account],
    });
    return undefined;
  } catch (error) {
    if (!isAccountTaken(error)) throw error;
  }
  const { rows } = await databasePool().query<AccountHolder>({
    name: 'triggers.account-holder',
    text: `SELECT CASE WHEN s.workspace_id = $3 THEN w.name END AS "workflowName"
      FROM webhook_subscription s LEFT JOIN workflow w ON w.id = s.workflow_id
      WHERE s.connector_id = $1 AND s.account = $2 AND s.may_exist`,
    values: [connectorId, account, workspaceId],
  });
  return rows[0] ?? { workflowName: null };
}

/** Forgets a subscription that the provider no longer has and whose webhook is gone. */
export async function deleteSubscription({ id, token }: ClaimedSubscription): Promise<void> {
  await databasePool().query({
    name: 'triggers.delete-subscription',
    text: 'DELETE FROM webhook_subscription WHERE id = $1 AND lease_token = $2',
    values: [id, token],
  });
}
