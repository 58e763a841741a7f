import type {
  EventParameters,
  SubscriptionRequest,
  SubscriptionStatus,
  WebhookSubscriptionState,
} from '@/contract/triggers/subscription';
import type { WebhookVerification } from '@/contract/triggers/webhook-verification';
import type { Webhook as WebhookRow, WebhookSubscription } from '@/generated/prisma/client';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { requireReferenceUse } from '@/server/people/access/references';
import { findBuiltInConnector } from '@/server/connectors';
import type { ConnectorSubscriptions, SubscribedEvent } from '@/server/connectors/subscription';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { invalidFieldProblem, invalidRequestProblem } from '@/server/platform/errors/problem';
import { getRuntime } from '@/server/platform/runtime';
import { sealSubscriptionSecret, subscriptionSecretFields } from '@/server/triggers/subscriptions/secret';
import { sealWebhookSecret } from '@/server/triggers/webhooks/verification';
import { isSameVerification, splitVerification, verificationSettings, type SplitVerification } from './settings';
import { lockWorkflow } from '../workflows/workflow-rows';
import { createWebhookSecret, webhookUrl } from './webhook-address';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** The home of a subscription that came with files of a project: it belongs to no installation yet. */
export const IMPORTED_HOME = 'import';

/** What was imported becomes the own of this installation when somebody activates its workflow. */
export async function adoptImportedSubscriptions(db: DatabaseClient, workflowId: string): Promise<void> {
  const data = { home: getRuntime().env.apiBaseUrl, status: 'waiting', failures: 0, nextAt: new Date() };
  await db.webhookSubscription.updateMany({ where: { workflowId, isCurrent: true, home: IMPORTED_HOME }, data });
}

/** The error of a subscription that another installation has made. */
function foreignSubscriptionMessage(home: string): string {
  if (home === IMPORTED_HOME)
    return 'It was imported. Subscribe, or activate the workflow, if this installation shall have the webhook.';
  const maker = home === '' ? 'This data was restored or moved.' : `The installation at ${home} has made it.`;
  return `${maker} Subscribe again if this installation shall have the webhook.`;
}

/**
 * A subscription as the API shows it. One of another installation waits until it is subscribed again, one without an
 * account until that is chosen.
 */
export function toSubscriptionState(row: WebhookSubscription): WebhookSubscriptionState {
  const { connectorId, event, credentialId, externalId, expiresAt, errorMessage, errorAt, home, createdAt } = row;
  const settings = {
    connectorId,
    event,
    parameters: row.parameters as EventParameters,
    credentialId,
    ...(row.labels !== null && { labels: row.labels as Record<string, string> }),
  };
  const reason =
    credentialId === null
      ? 'Choose an account.'
      : home === getRuntime().env.apiBaseUrl
        ? null
        : foreignSubscriptionMessage(home);
  if (reason !== null) {
    const error = { message: reason, at: (errorAt ?? createdAt).toISOString() };
    return { ...settings, status: 'waiting', externalId: null, expiresAt: null, error };
  }
  return {
    ...settings,
    status: row.status as SubscriptionStatus,
    externalId,
    expiresAt: expiresAt?.toISOString() ?? null,
    error: errorMessage === null ? null : { message: errorMessage, at: (errorAt ?? createdAt).toISOString() },
  };
}

/** The provider of a subscription that a caller may make. */
export interface CheckedSubscription {
  subscriptions: ConnectorSubscriptions;
  request: SubscriptionRequest;
}

/** Throws 400 or 403 unless the caller may make the subscription. One without an account may lack parameters, too. */
export async function checkSubscription(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  request: SubscriptionRequest,
): Promise<CheckedSubscription> {
  const { connectorId, credentialId } = request;
  await requireReferenceUse(db, caller, [
    ...(credentialId === null ? [] : [{ resource: 'credential' as const, id: credentialId }]),
    { resource: 'connector', id: connectorId },
  ]);
  const connector = findBuiltInConnector(connectorId);
  if (!connector) throw invalidFieldProblem('subscription.connectorId', 'is no connector of the service');
  const { subscriptions } = connector;
  if (!subscriptions)
    throw invalidFieldProblem(
      'subscription.connectorId',
      `${connector.name} has no webhooks that the service can make`,
    );
  const event = subscriptions.events.find(({ id }) => id === request.event);
  if (!event) throw invalidFieldProblem('subscription.event', `is no event of ${connector.name}`);
  const parameters = parseEventParameters(event, request);
  if (credentialId === null) return { subscriptions, request: { ...request, parameters } };
  const where = { id: credentialId, workspaceId: caller.workspaceId };
  const credential = await db.credential.findFirst({ where, select: { connectorId: true } });
  if (credential?.connectorId !== connectorId)
    throw invalidFieldProblem('subscription.credentialId', `must be a credential of ${connector.name}`);
  return { subscriptions, request: { ...request, parameters } };
}

/** A request with the default values of its event, as it is stored. One that is not valid stays as it is. */
export function completeSubscription(request: SubscriptionRequest): SubscriptionRequest {
  const events = findBuiltInConnector(request.connectorId)?.subscriptions?.events;
  const event = events?.find(({ id }) => id === request.event);
  const parsed = event && eventParameterShape(event, request).safeParse(request.parameters);
  return parsed?.success ? { ...request, parameters: parsed.data as EventParameters } : request;
}

/**
 * Throws 400 for a subscription without an account if the workflow is live. It stays locked, so that it cannot go live
 * before this change is stored.
 */
export async function requireSubscriptionAccount(
  db: DatabaseClient,
  { id, workspaceId }: { id: string; workspaceId: string },
  { credentialId }: Pick<SubscriptionRequest, 'credentialId'>,
): Promise<void> {
  if (credentialId !== null) return;
  const { status } = await lockWorkflow(db, workspaceId, id);
  if (status === 'active') throw invalidFieldProblem('subscription.credentialId', 'is required: the workflow is live');
}

/** What an event asks for. Without an account nothing can be picked, so that all of it may be missing. */
const eventParameterShape = ({ parameters }: SubscribedEvent, { credentialId }: SubscriptionRequest) =>
  credentialId === null ? z.strictObject(parameters).partial() : z.strictObject(parameters);

function parseEventParameters(event: SubscribedEvent, request: SubscriptionRequest): EventParameters {
  const parsed = eventParameterShape(event, request).safeParse(request.parameters);
  if (parsed.success) return parsed.data as EventParameters;
  throw invalidRequestProblem(
    parsed.error.issues.map(({ path, message }) => ({
      field: ['subscription', 'parameters', ...path].join('.'),
      message,
    })),
  );
}

/** Whether a subscription is already the one that is asked for. Labels have no effect at the provider. */
export const isSameSubscription = (row: WebhookSubscription, request: SubscriptionRequest): boolean =>
  row.connectorId === request.connectorId &&
  row.event === request.event &&
  row.credentialId === request.credentialId &&
  isDeepStrictEqual(row.parameters, request.parameters);

/** Changes what picked parameters are called, without another webhook at the provider. */
export async function storeSubscriptionLabels(
  db: DatabaseClient,
  { id }: WebhookSubscription,
  labels: Record<string, string>,
): Promise<void> {
  await db.webhookSubscription.update({ where: { id }, data: { labels } });
}

/** Seals a new secret of a webhook: of its subscription, or of the documented signature. */
export function sealNewSecret(webhookId: string, secret: string, current: WebhookSubscription | null): string {
  const verification = current && findBuiltInConnector(current.connectorId)?.subscriptions?.verification;
  return verification ? sealSubscriptionSecret(webhookId, verification, secret) : sealWebhookSecret(webhookId, secret);
}

export const findCurrentSubscription = (db: DatabaseClient, webhookId: string): Promise<WebhookSubscription | null> =>
  db.webhookSubscription.findFirst({ where: { webhookId, isCurrent: true } });

/**
 * Makes a subscription the current one of a webhook. The one before is removed at the provider first. `home` is the
 * installation that makes it: that of the one before stays, so that a copy takes nothing over.
 */
export async function replaceSubscription(
  db: DatabaseClient,
  webhook: { id: string; workflowId: string; workspaceId: string; url: string },
  {
    connectorId,
    event,
    parameters,
    credentialId,
    labels,
    home = getRuntime().env.apiBaseUrl,
  }: SubscriptionRequest & { home?: string },
): Promise<void> {
  // What another installation has made stays at the provider.
  await db.webhookSubscription.deleteMany({
    where: { webhookId: webhook.id, isCurrent: true, home: { not: getRuntime().env.apiBaseUrl } },
  });
  await db.webhookSubscription.updateMany({
    where: { webhookId: webhook.id, isCurrent: true },
    data: { isCurrent: false, failures: 0, nextAt: new Date() },
  });
  await db.webhookSubscription.create({
    data: {
      id: generateId('sub'),
      workspaceId: webhook.workspaceId,
      workflowId: webhook.workflowId,
      webhookId: webhook.id,
      home,
      url: webhook.url,
      connectorId,
      event,
      parameters,
      credentialId,
      labels,
    },
  });
}

/** The request that a subscription was made by. */
export const storedSubscriptionRequest = (row: WebhookSubscription): SubscriptionRequest & { home: string } => ({
  connectorId: row.connectorId,
  event: row.event,
  parameters: row.parameters as EventParameters,
  credentialId: row.credentialId,
  labels: (row.labels ?? undefined) as SubscriptionRequest['labels'],
  home: row.home,
});

/** The subscription is tried at once, by this installation. What another one has made stays at the provider. */
export async function resumeSubscription(
  db: DatabaseClient,
  row: WebhookSubscription,
  url: string,
): Promise<WebhookSubscription> {
  const home = getRuntime().env.apiBaseUrl;
  const ofOther =
    row.home === home
      ? {}
      : { home, mayExist: false, externalId: null, account: null, expiresAt: null, renewsAt: null };
  const isOpen = row.home !== home || row.status !== 'active';
  return db.webhookSubscription.update({
    where: { id: row.id },
    data: { ...ofOther, ...(isOpen && { status: 'waiting' }), url, failures: 0, nextAt: new Date() },
  });
}

/** The parts of a webhook that its subscription needs. */
export const subscribedWebhook = (row: WebhookRow) => ({
  id: row.id,
  workflowId: row.workflowId,
  url: webhookUrl(row),
});

/** The verification by the rules of the provider, with a secret that the service makes. */
export const providerVerification = ({ subscriptions: { verification } }: CheckedSubscription): SplitVerification => ({
  settings: verification,
  secrets: subscriptionSecretFields(verification, createWebhookSecret()),
});

/** Throws 400 for settings that a subscription determines. */
export function requireNoOwnVerification(
  verification: WebhookVerification | undefined,
  methods: string[] | undefined,
  before?: WebhookRow,
): void {
  const isSame =
    before && verification && isSameVerification(splitVerification(verification), verificationSettings(before));
  if (verification && !isSame)
    throw invalidFieldProblem('verification', 'is that of the provider: a subscription makes it');
  if (methods && methods.join() !== SUBSCRIPTION_METHOD)
    throw invalidFieldProblem('methods', `is ${SUBSCRIPTION_METHOD}, as the provider sends`);
}

const SUBSCRIPTION_METHOD = 'POST';
