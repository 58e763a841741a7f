import type { DeliveryVerdict, WebhookTrigger, WebhookResponseMode } from '@/contract/triggers/webhook';
import { Prisma, type Webhook as Row } from '@/generated/prisma/client';
import { conflictProblem } from '@/server/platform/errors/problem';
import { sealWebhookSecret } from '@/server/triggers/webhooks/verification';
import type { DatabaseClient } from '@/server/platform/db/client';
import { toSubscriptionState } from './subscription-rows';
import { createWebhookSecret, webhookUrl } from './webhook-address';
import {
  isDocumentedVerification,
  requireVerificationSecrets,
  visibleVerification,
  type SplitVerification,
} from './settings';

/** What is read besides the row of a webhook. */
export type WebhookDetails = Pick<WebhookTrigger, 'lastCall' | 'subscription'>;

const NO_WEBHOOK_DETAILS: WebhookDetails = { lastCall: null, subscription: null };

export const toWebhookResponse = (row: Row, details: WebhookDetails = NO_WEBHOOK_DETAILS): WebhookTrigger => ({
  id: row.id,
  workflowId: row.workflowId,
  path: row.path,
  url: webhookUrl(row),
  methods: row.methods as WebhookTrigger['methods'],
  verification: visibleVerification(row),
  response: (row.response ?? { mode: 'accepted' }) as WebhookResponseMode,
  input: row.input as WebhookTrigger['input'],
  allowedIps: row.allowedIps,
  cors: row.cors as WebhookTrigger['cors'],
  enabled: row.enabled,
  startNodeId: row.startNodeId,
  createdAt: row.createdAt.toISOString(),
  ...details,
});

/** Reads the latest delivery and the subscription of each webhook. */
export async function readWebhookDetails(
  db: DatabaseClient,
  webhookIds: string[],
): Promise<Map<string, WebhookDetails>> {
  const calls = await db.$queryRaw<{ id: string; receivedAt: Date; verdict: string }[]>`
    SELECT h.id, d.received_at AS "receivedAt", d.verdict FROM unnest(${webhookIds}::text[]) AS h(id)
    CROSS JOIN LATERAL (
      SELECT received_at, verdict FROM webhook_delivery WHERE webhook_id = h.id
      ORDER BY received_at DESC, id DESC LIMIT 1
    ) d`;
  const where = { webhookId: { in: webhookIds }, isCurrent: true };
  const subscriptions = await db.webhookSubscription.findMany({ where });
  const lastCalls = new Map(
    calls.map(({ id, receivedAt, verdict }) => [
      id,
      { receivedAt: receivedAt.toISOString(), verdict: verdict as DeliveryVerdict },
    ]),
  );
  const bySubscription = new Map(subscriptions.map((row) => [row.webhookId, toSubscriptionState(row)]));
  return new Map(
    webhookIds.map((id) => [id, { lastCall: lastCalls.get(id) ?? null, subscription: bySubscription.get(id) ?? null }]),
  );
}

export async function toDetailedWebhookResponse(db: DatabaseClient, row: Row): Promise<WebhookTrigger> {
  return toWebhookResponse(row, (await readWebhookDetails(db, [row.id])).get(row.id));
}

/** Returns the columns of a verification, and the secret that was made for it, if any. */
export function toVerificationColumns(webhookId: string, given: SplitVerification) {
  requireVerificationSecrets(given);
  const { settings, secrets } = given;
  const isSignature = settings.kind === 'signature';
  const made = isSignature && secrets['secret'] === undefined ? createWebhookSecret() : undefined;
  const sealed = isSignature ? (made ?? secrets['secret'] ?? '') : JSON.stringify(secrets);
  return {
    made,
    columns: {
      verification: isDocumentedVerification(settings) ? Prisma.DbNull : (settings as object),
      secret: sealWebhookSecret(webhookId, sealed),
    },
  };
}

/** The column of a response mode; null for `accepted`, so that the fast path has nothing to read. */
export const toWebhookResponseColumn = (response: WebhookResponseMode) =>
  response.mode === 'accepted' ? Prisma.DbNull : response;

/** Returns the column of the origins whose pages may call the webhook. */
export const toCorsColumn = (cors: WebhookTrigger['cors'] | undefined) => (cors === null ? Prisma.DbNull : cors);

export function rejectDuplicateWebhook(error: unknown): never {
  if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') {
    throw conflictProblem('The workflow has a webhook with this path already.');
  }
  throw error;
}
