import type { BlockList } from 'node:net';
import type { WebhookCorsSettings, WebhookInputMode, WebhookMethod } from '@/contract/triggers/webhook';
import type { WebhookVerification } from '@/contract/triggers/webhook-verification';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import type { WebhookResponseMode } from '@/contract/triggers/webhook';
import type { WorkspaceTier } from '@/contract/tier';
import { databasePool } from '@/server/platform/db/client';
import { groupCommit } from '@/server/platform/db/group-commit';
import { BoundedCache } from '@/server/platform/cache/cache';
import type { WebhookVerifier } from './verification/verifier';
import {
  WEBHOOK_VERIFICATION_SQL,
  WEBHOOK_TABLES_SQL,
  WEBHOOK_VERSION_SQL,
} from '@/server/platform/db/webhook-version';

/** The webhook that a delivery is addressed to, with the data that is needed to check it. */
export interface CallingWebhook extends WebhookAddress {
  id: string;
  workspaceId: string;
  tier: WorkspaceTier;
  workflowStatus: WorkflowStatus;
  workflowVersion: number;
  /** How deliveries are answered; null: with the id of the run, at once. */
  response: WebhookResponseMode | null;
  /** The secrets that senders may sign with: the current one and, for a while after a rotation, the previous one. */
  sealedSecrets: string[];
  methods: WebhookMethod[];
  /** How senders are verified, without secrets; null: by the documented signature. */
  verification: WebhookVerification | null;
  input: WebhookInputMode;
  allowedIps: string[];
  /** Pages that may call it by script; null: none. */
  cors: WebhookCorsSettings | null;
  enabled: boolean;
  /** A user waits for a test call. */
  isListened: boolean;
  /** All settings are the documented ones: the body is JSON of at most 1 MiB. */
  isDocumented: boolean;
  /** Made when the first delivery needs them. */
  verifier?: WebhookVerifier;
  addressList?: BlockList;
  /** Changes whenever any of this changes (optimistic concurrency token). */
  webhookVersion: string;
}

/** What is needed to verify the sender of a request to an address. */
export type WebhookVerificationData = Pick<
  CallingWebhook,
  'id' | 'workspaceId' | 'workflowId' | 'methods' | 'verification' | 'sealedSecrets' | 'allowedIps' | 'enabled'
> &
  Pick<CallingWebhook, 'verifier' | 'addressList'>;

interface WebhookAddress {
  workflowId: string;
  path: string;
}

// Sub-selects hide the lengths of the arrays from the planner, so that it reuses its plan (as in
// server/people/auth/session.ts).
const WEBHOOKS_AT_QUERY = {
  name: 'webhooks-at',
  text: `
    SELECT a.place::int, h.id, h.workflow_id AS "workflowId", h.path, h.response, f.workspace_id AS "workspaceId",
      array_remove(ARRAY[h.secret, CASE WHEN h.old_secret_until > now() THEN h.old_secret END], NULL) AS "sealedSecrets",
      h.methods, ${WEBHOOK_VERIFICATION_SQL} AS verification, h.input, h.allowed_ips AS "allowedIps", h.cors, h.enabled,
      EXISTS (SELECT FROM webhook_listener l WHERE l.webhook_id = h.id AND l.until > now()) AS "isListened",
      h.verification IS NULL AND h.input = 'body' AND h.methods = '{POST}' AS "isDocumented",
      f.status AS "workflowStatus", f.version AS "workflowVersion", w.tier, ${WEBHOOK_VERSION_SQL} AS "webhookVersion"
    FROM unnest((SELECT $1::text[]), (SELECT $2::text[])) WITH ORDINALITY AS a(workflow_id, path, place)
    JOIN (${WEBHOOK_TABLES_SQL}) ON h.workflow_id = a.workflow_id AND h.path = a.path`,
};

const webhookAddressKey = ({ workflowId, path }: WebhookAddress) => `${workflowId}/${path}`;

/**
 * Reads the current webhook at an address. Concurrent calls share one statement that begins after all of them have
 * arrived, each address once.
 */
export const readWebhookAt = groupCommit<WebhookAddress, CallingWebhook | null>(async (requests) => {
  const addresses = [...new Map(requests.map((address) => [webhookAddressKey(address), address])).values()];
  const values = [addresses.map(({ workflowId }) => workflowId), addresses.map(({ path }) => path)];
  const at = performance.now();
  const { rows } = await databasePool().query<CallingWebhook & { place: number }>({ values, ...WEBHOOKS_AT_QUERY });
  const found = new Map(
    rows.map(({ place, ...webhook }) => [webhookAddressKey(addresses[place - 1] as WebhookAddress), webhook]),
  );
  for (const webhook of found.values()) Object.assign(findCachedWebhook(webhook), { webhook, at });
  return requests.map((address) => found.get(webhookAddressKey(address)) ?? null);
});

/** Lifetime of a cached webhook, in milliseconds. */
const WEBHOOK_CACHE_MS = 1000;

const cachedWebhooks = new BoundedCache<string, { webhook: CallingWebhook | null; at: number }>(1000);
const findCachedWebhook = (address: WebhookAddress) =>
  cachedWebhooks.get(webhookAddressKey(address), () => ({ webhook: null, at: -WEBHOOK_CACHE_MS }));

/**
 * The webhook at an address from a cache of at most one second. Nothing is stored unless it is still unchanged
 * (`webhookVersion`), and only the rate limit refuses by it. Concurrent calls resume together, because a step for many
 * calls costs less than single steps.
 */
export const readCachedWebhook = groupCommit<WebhookAddress, CallingWebhook | null>((addresses) => {
  const oldest = performance.now() - WEBHOOK_CACHE_MS;
  return Promise.all(
    addresses.map((address) => {
      const { webhook, at } = findCachedWebhook(address);
      return at > oldest ? webhook : readWebhookAt(address);
    }),
  );
});
