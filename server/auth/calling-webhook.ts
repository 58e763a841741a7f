import type { WorkflowStatus } from '@/contract/workflow';
import type { Tier } from '@/contract/workspace';
import { pool } from '../db/client';
import { gather } from '../db/gather';
import { Cache } from '../engine/cache';
import { AS_SEEN, WEBHOOK } from '../engine/submission';

/** The webhook that a delivery is addressed to, with what is needed to judge it. */
export interface CallingWebhook extends Address {
  id: string;
  workspaceId: string;
  tier: Tier;
  workflowStatus: WorkflowStatus;
  workflowVersion: number;
  /** The secrets that senders may sign with: the one, and for a while after a rotation also the one before. */
  sealedSecrets: string[];
  /** Another one once any of this has changed. */
  seen: string;
}

interface Address {
  workflowId: string;
  path: string;
}

const AT = {
  name: 'webhooks-at',
  text: `
    SELECT a.place::int, h.id, h.workflow_id AS "workflowId", h.path, f.workspace_id AS "workspaceId",
      array_remove(ARRAY[h.secret, CASE WHEN h.old_secret_until > now() THEN h.old_secret END], NULL) AS "sealedSecrets",
      f.status AS "workflowStatus", f.version AS "workflowVersion", w.tier, ${AS_SEEN} AS seen
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS a(workflow_id, path, place)
    JOIN (${WEBHOOK}) ON h.workflow_id = a.workflow_id AND h.path = a.path`,
};

const keyOf = ({ workflowId, path }: Address) => `${workflowId}/${path}`;

/**
 * The webhook at an address, as it is now. Calls of the same moment are looked up by one statement that begins after
 * all of them have come in, each address once.
 */
export const webhookNow = gather<Address, CallingWebhook | null>(async (asked) => {
  const addresses = [...new Map(asked.map((one) => [keyOf(one), one])).values()];
  const values = [addresses.map(({ workflowId }) => workflowId), addresses.map(({ path }) => path)];
  const at = performance.now();
  const { rows } = await pool().query<CallingWebhook & { place: number }>({ values, ...AT });
  const found = new Map(rows.map(({ place, ...webhook }) => [keyOf(addresses[place - 1] as Address), webhook]));
  for (const webhook of found.values()) Object.assign(memoryOf(webhook), { webhook, at });
  return asked.map((one) => found.get(keyOf(one)) ?? null);
});

/** How long a webhook is remembered, in milliseconds. */
const REMEMBERED_MS = 1000;

const memories = new Cache<string, { webhook: CallingWebhook | null; at: number }>(1000);
const memoryOf = (address: Address) => memories.get(keyOf(address), () => ({ webhook: null, at: -REMEMBERED_MS }));

/**
 * The webhook at an address, as it was a second ago or later: good enough to begin with, for nothing is stored unless it
 * is still the same (`seen`), and nothing is refused on its word but what is over its rate. Calls of the same moment go on
 * together: a step that many take in a row costs less than the same steps call by call.
 */
export const webhookAt = gather<Address, CallingWebhook | null>((asked) => {
  const oldest = performance.now() - REMEMBERED_MS;
  return Promise.all(
    asked.map((address) => {
      const { webhook, at } = memoryOf(address);
      return at > oldest ? webhook : webhookNow(address);
    }),
  );
});
