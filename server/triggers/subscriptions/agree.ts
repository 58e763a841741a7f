import { randomBytes } from 'node:crypto';
import type { ProviderWebhook } from '@/server/connectors/subscription';
import { appendAuditEntries } from '@/server/people/audit/record';
import { prismaClient } from '@/server/platform/db/client';
import { generateOrderedId } from '@/server/platform/db/ids';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { serviceLog } from '@/server/platform/log';
import { createLimitedSignal } from '@/server/platform/timers/limited-signal';
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@/contract/units';
import { openSubscriptionSecret, sealSubscriptionSecret } from './secret';
import {
  deleteSubscription,
  markSubscriptionAttempt,
  storeSubscriptionOutcome,
  type ClaimedSubscription,
  type SubscriptionOutcome,
} from './claim';
import { openProvider, type OpenProvider } from './provider';

/** How long one agreement may take; shorter than its lease. */
const AGREEMENT_TIMEOUT_MS = 2 * MS_PER_MINUTE;
/** How often the service looks whether the provider still has a webhook. */
const CHECK_INTERVAL_MS = 6 * MS_PER_HOUR;
const MIN_RETRY_DELAY_MS = 5000;
const MAX_RETRY_DELAY_MS = MS_PER_HOUR;
/** How long the service tries to remove what is no longer wanted. */
const REMOVAL_PERIOD_MS = MS_PER_DAY;
/** A webhook that ends is renewed after this share of its life. */
const RENEWAL_SHARE = 0.8;
/** Statuses with which a provider says that it does not have the webhook. */
const GONE_STATUSES = [404, 410];

const retryDelayMs = (failures: number) =>
  Math.min(MAX_RETRY_DELAY_MS, MIN_RETRY_DELAY_MS * 2 ** Math.min(failures, 20));
const inMs = (ms: number) => new Date(Date.now() + ms);

/** When a webhook that the provider has just made or renewed is to be renewed. */
const planRenewal = (expiresAt: Date | null): Date | null =>
  expiresAt && inMs(Math.max(MS_PER_MINUTE, (expiresAt.getTime() - Date.now()) * RENEWAL_SHARE));

/** When the service asks the provider again about a webhook that it has. */
const planCheck = (renewsAt: Date | null): Date =>
  new Date(Math.min(Date.now() + CHECK_INTERVAL_MS, renewsAt?.getTime() ?? Infinity));

/**
 * Brings one subscription into agreement with its provider, and stores the outcome. Rejects only if the database is
 * unavailable.
 */
export async function agreeWithProvider(claimed: ClaimedSubscription, stop: AbortSignal): Promise<void> {
  const { isWanted, mayExist, hasWebhook, isCurrent } = claimed;
  if (!isWanted && !mayExist) {
    if (!hasWebhook || !isCurrent) return deleteSubscription(claimed);
    return storeSubscriptionOutcome(claimed, { ...unchangedOutcome(claimed), ...REMOVED_OUTCOME });
  }
  const { signal, release } = createLimitedSignal(stop, AGREEMENT_TIMEOUT_MS);
  try {
    const provider = await openProvider(claimed, signal);
    await (isWanted ? makeSubscription(claimed, provider) : endSubscription(claimed, provider));
  } catch (error) {
    if (stop.aborted) return storeSubscriptionOutcome(claimed, unchangedOutcome(claimed));
    await storeFailedAgreement(claimed, error);
  } finally {
    release();
  }
}

const unchangedOutcome = (claimed: ClaimedSubscription): SubscriptionOutcome => ({
  status: claimed.status,
  externalId: claimed.externalId,
  expiresAt: claimed.expiresAt,
  renewsAt: claimed.renewsAt,
  errorMessage: null,
  failures: claimed.failures,
  nextAt: new Date(),
});

const REMOVED_OUTCOME = {
  status: 'removed',
  mayExist: false,
  externalId: null,
  expiresAt: null,
  renewsAt: null,
  errorMessage: null,
  failures: 0,
} as const;

async function makeSubscription(claimed: ClaimedSubscription, provider: OpenProvider): Promise<void> {
  const { subscriptions, target, request, name } = provider;
  const account = subscriptions.identifyAccount ? await request(subscriptions.identifyAccount()) : null;
  const holder = await markSubscriptionAttempt(claimed, account);
  if (holder) throw accountInUseFailure(name, holder.workflowName);
  const found = await request(subscriptions.find({ ...target, externalId: claimed.externalId }));
  const isKept = found !== null && found.externalId === claimed.externalId;
  const made = isKept ? await keepWebhook(claimed, provider, found) : await makeAnew(claimed, provider, found);
  const outcome: SubscriptionOutcome = {
    status: 'active',
    mayExist: true,
    externalId: made.externalId,
    expiresAt: made.expiresAt,
    renewsAt: made.renewsAt,
    errorMessage: null,
    failures: 0,
    nextAt: planCheck(made.renewsAt),
  };
  const { secret } = made;
  const { verification } = subscriptions;
  const secrets = secret === undefined ? null : sealSubscriptionSecret(claimed.webhookId, verification, secret);
  await storeSubscriptionOutcome(claimed, outcome, secrets);
}

const accountInUseFailure = (provider: string, workflowName: string | null) =>
  new NodeFailure(
    'API_REFUSED',
    `${provider} has one webhook for an account, and ${workflowName === null ? 'a workflow of another workspace' : `the workflow "${workflowName}"`} uses it.`,
    false,
  );

/** A webhook that the provider has, and when it is to be renewed. */
type KeptWebhook = ProviderWebhook & { renewsAt: Date | null };

/**
 * Renews the webhook when 80 % of its life are over. One that cannot be renewed is replaced by another one, and ends by
 * itself if it cannot be removed.
 */
async function keepWebhook(
  claimed: ClaimedSubscription,
  provider: OpenProvider,
  found: ProviderWebhook,
): Promise<KeptWebhook> {
  const expiresAt = found.expiresAt ?? claimed.expiresAt;
  const isDue = expiresAt !== null && (claimed.renewsAt?.getTime() ?? 0) <= Date.now();
  if (!isDue) return { ...found, expiresAt, renewsAt: expiresAt && claimed.renewsAt };
  const { subscriptions, target, request } = provider;
  if (!subscriptions.renew) {
    const made = await makeAnew(claimed, provider, null);
    await request(subscriptions.remove(found.externalId, target)).catch(ignoreProviderFailure);
    return made;
  }
  const renewed = await request(subscriptions.renew(found.externalId, target));
  return { ...found, expiresAt: renewed, renewsAt: planRenewal(renewed) };
}

/**
 * Makes the webhook. One that was found at its address is of an earlier attempt whose answer was lost, or somebody else
 * made it: it is used only if the service knows its secret.
 */
async function makeAnew(
  { mayExist, webhookId, sealedSecrets }: ClaimedSubscription,
  { subscriptions, target, request, readAppSecret }: OpenProvider,
  found: ProviderWebhook | null,
): Promise<KeptWebhook> {
  const { secretFrom, verification } = subscriptions;
  const ofApp = secretFrom === 'app' ? { secret: await readAppSecret() } : {};
  if (found && mayExist && (secretFrom === undefined || secretFrom === 'app'))
    return { ...found, ...ofApp, renewsAt: planRenewal(found.expiresAt) };
  if (found) await request(subscriptions.remove(found.externalId, target)).catch(ignoreMissingWebhook);
  const known = sealedSecrets === null ? '' : openSubscriptionSecret(webhookId, verification, sealedSecrets);
  const ofAttempt = secretFrom === 'attempt' ? { secret: randomBytes(32).toString('base64url') } : {};
  const made = await request(subscriptions.create({ ...target, secret: ofAttempt.secret ?? known }));
  return { ...made, ...ofAttempt, ...ofApp, renewsAt: planRenewal(made.expiresAt) };
}

/** What is to be removed may be gone already. */
function ignoreMissingWebhook(error: unknown): void {
  if (!isGone(error)) throw error;
}

function ignoreProviderFailure(error: unknown): void {
  if (!(error instanceof NodeFailure)) throw error;
}

async function endSubscription(claimed: ClaimedSubscription, provider: OpenProvider): Promise<void> {
  const { subscriptions, target, request } = provider;
  const externalId =
    claimed.externalId ?? (await request(subscriptions.find({ ...target, externalId: null })))?.externalId;
  if (externalId !== undefined) {
    await request(subscriptions.remove(externalId, target)).catch(ignoreMissingWebhook);
  }
  await storeSubscriptionOutcome(claimed, { ...unchangedOutcome(claimed), ...REMOVED_OUTCOME });
}

const isGone = (error: unknown): boolean =>
  error instanceof NodeFailure && GONE_STATUSES.includes(error.by.answer?.status ?? 0);

async function storeFailedAgreement(claimed: ClaimedSubscription, error: unknown): Promise<void> {
  const isKnown = error instanceof NodeFailure;
  if (!isKnown) serviceLog().error({ err: error, subscription: claimed.id }, 'an agreement with a provider failed');
  const reason = isKnown ? error.message : 'The service could not ask the provider.';
  const isRefusal = isKnown && !error.retriable;
  const failures = claimed.failures + 1;
  const waitMs = Math.max(retryDelayMs(failures), isKnown ? error.retryAfterMs : 0);
  if (!claimed.isWanted) return storeFailedRemoval(claimed, reason, { failures, waitMs });
  // A provider that cannot be reached may have the webhook all the same.
  const status = isRefusal ? 'failed' : claimed.status === 'active' ? 'active' : 'waiting';
  await storeSubscriptionOutcome(claimed, {
    ...unchangedOutcome(claimed),
    status,
    errorMessage: reason,
    failures,
    nextAt: inMs(waitMs),
  });
}

/** The removal is tried for a day, also by what is left of a credential that was deleted. */
async function storeFailedRemoval(
  claimed: ClaimedSubscription,
  reason: string,
  { failures, waitMs }: { failures: number; waitMs: number },
): Promise<void> {
  const since = claimed.removalSince?.getTime() ?? Date.now();
  const isOver = Date.now() - since >= REMOVAL_PERIOD_MS;
  const message = `The webhook could not be removed at the provider: ${reason}`;
  if (!isOver) {
    return storeSubscriptionOutcome(claimed, {
      ...unchangedOutcome(claimed),
      status: 'failed',
      errorMessage: message,
      failures,
      nextAt: inMs(waitMs),
    });
  }
  const { workspaceId, webhookId, connectorId, externalId } = claimed;
  await appendAuditEntries(prismaClient(), [
    {
      id: generateOrderedId('aud'),
      workspaceId,
      category: 'configuration_change',
      action: 'webhooks.unsubscribe',
      result: 'failure',
      actor: { type: 'system', id: null, email: null },
      resource: { type: 'webhook', id: webhookId },
      metadata: { connectorId, externalId, reason },
    },
  ]);
  if (!claimed.hasWebhook || !claimed.isCurrent) return deleteSubscription(claimed);
  await storeSubscriptionOutcome(claimed, {
    ...unchangedOutcome(claimed),
    ...REMOVED_OUTCOME,
    errorMessage: `${message} It was given up after a day: remove it there.`,
  });
}
