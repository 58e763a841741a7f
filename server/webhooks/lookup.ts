import type { BlockList } from 'node:net';
import type { WebhookCors, WebhookInput, WebhookMethod } from '@/contract/triggers/webhook';
import type { WebhookVerification } from '@/contract/triggers/webhook-verification';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import type { WebhookResponse } from '@/contract/triggers/webhook';
import type { Tier } from '@/contract/tier';
import { pool } from '@/server/db/client';
import { groupCommit } from '@/server/db/group-commit';
import { Cache } from '@/server/cache';
import type { Verifier } from './verification/verifier';
import { VERIFICATION, WEBHOOK, WEBHOOK_VERSION } from './version';

/** The webhook that a delivery is addressed to, with the data that is needed to check it. */
export interface CallingWebhook extends Address {
  id: string;
  workspaceId: string;
  tier: Tier;
  workflowStatus: WorkflowStatus;
  workflowVersion: number;
  /** How deliveries are answered; null: with the id of the run, at once. */
  response: WebhookResponse | null;
  /** The secrets that senders may sign with: the current one and, for a while after a rotation, the previous one. */
  sealedSecrets: string[];
  methods: WebhookMethod[];
  /** How senders are verified, without secrets; null: by the documented signature. */
  verification: WebhookVerification | null;
  input: WebhookInput;
  allowedIps: string[];
  /** Pages that may call it by script; null: none. */
  cors: WebhookCors | null;
  enabled: boolean;
  /** A user waits for a test call. */
  isListened: boolean;
  /** All settings are the documented ones: the body is JSON of at most 1 MiB. */
  isDocumented: boolean;
  /** Made when the first delivery needs them. */
  verifier?: Verifier;
  addressList?: BlockList;
  /** Changes whenever any of this changes (optimistic concurrency token). */
  webhookVersion: string;
}

/** What is needed to verify the sender of a request to an address. */
export type VerifiedAddress = Pick<
  CallingWebhook,
  'id' | 'workspaceId' | 'workflowId' | 'methods' | 'verification' | 'sealedSecrets' | 'allowedIps' | 'enabled'
> &
  Pick<CallingWebhook, 'verifier' | 'addressList'>;

interface Address {
  workflowId: string;
  path: string;
}

// Sub-selects hide the lengths of the arrays from the planner, so that it reuses its plan (as in server/auth/session.ts).
const AT = {
  name: 'webhooks-at',
  text: `
    SELECT a.place::int, h.id, h.workflow_id AS "workflowId", h.path, h.response, f.workspace_id AS "workspaceId",
      array_remove(ARRAY[h.secret, CASE WHEN h.old_secret_until > now() THEN h.old_secret END], NULL) AS "sealedSecrets",
      h.methods, ${VERIFICATION} AS verification, h.input, h.allowed_ips AS "allowedIps", h.cors, h.enabled,
      EXISTS (SELECT FROM webhook_listener l WHERE l.webhook_id = h.id AND l.until > now()) AS "isListened",
      h.verification IS NULL AND h.input = 'body' AND h.methods = '{POST}' AS "isDocumented",
      f.status AS "workflowStatus", f.version AS "workflowVersion", w.tier, ${WEBHOOK_VERSION} AS "webhookVersion"
    FROM unnest((SELECT $1::text[]), (SELECT $2::text[])) WITH ORDINALITY AS a(workflow_id, path, place)
    JOIN (${WEBHOOK}) ON h.workflow_id = a.workflow_id AND h.path = a.path`,
};

const keyOf = ({ workflowId, path }: Address) => `${workflowId}/${path}`;

/**
 * Reads the current webhook at an address. Concurrent calls share one statement that begins after all of them have arrived, each address
 * once.
 */
export const readWebhook = groupCommit<Address, CallingWebhook | null>(async (requests) => {
  const addresses = [...new Map(requests.map((address) => [keyOf(address), address])).values()];
  const values = [addresses.map(({ workflowId }) => workflowId), addresses.map(({ path }) => path)];
  const at = performance.now();
  const { rows } = await pool().query<CallingWebhook & { place: number }>({ values, ...AT });
  const found = new Map(rows.map(({ place, ...webhook }) => [keyOf(addresses[place - 1] as Address), webhook]));
  for (const webhook of found.values()) Object.assign(memoryOf(webhook), { webhook, at });
  return requests.map((address) => found.get(keyOf(address)) ?? null);
});

/** Lifetime of a cached webhook, in milliseconds. */
const REMEMBERED_MS = 1000;

const memories = new Cache<string, { webhook: CallingWebhook | null; at: number }>(1000);
const memoryOf = (address: Address) => memories.get(keyOf(address), () => ({ webhook: null, at: -REMEMBERED_MS }));

/**
 * The webhook at an address from a cache of at most one second. Nothing is stored unless it is still unchanged (`webhookVersion`), and only
 * the rate limit refuses by it. Concurrent calls resume together, because a step for many calls costs less than single steps.
 */
export const cachedWebhook = groupCommit<Address, CallingWebhook | null>((addresses) => {
  const oldest = performance.now() - REMEMBERED_MS;
  return Promise.all(
    addresses.map((address) => {
      const { webhook, at } = memoryOf(address);
      return at > oldest ? webhook : readWebhook(address);
    }),
  );
});
