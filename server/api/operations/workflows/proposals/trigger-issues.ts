import type { FieldIssue } from '@/contract/error-response';
import { SECRET_FIELDS_BY_KIND } from '@/contract/triggers/webhook-constants';
import type { TemplateTrigger } from '@/contract/workflows/template';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import type { DatabaseClient } from '@/server/platform/db/client';
import { ApiProblem, invalidFieldProblem, invalidRequestProblem } from '@/server/platform/errors/problem';
import { cronIssues } from '@/server/workflow/definition/cron';
import { checkSubscription } from '../../webhooks/subscription-rows';
import { requireNodeUse, requireValidPoll } from '../triggers/poll-checks';

/** Why the service would not create a trigger of the caller, by paths of its settings. */
export async function findTriggerIssues(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  workflowId: string,
  trigger: TemplateTrigger,
): Promise<FieldIssue[]> {
  try {
    await requireValidTrigger(db, caller, workflowId, trigger);
    return [];
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return error.details.length > 0 ? error.details : [{ field: '', message: error.message }];
  }
}

async function requireValidTrigger(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  workflowId: string,
  trigger: TemplateTrigger,
): Promise<void> {
  switch (trigger.kind) {
    case 'webhook': {
      const { path, subscription } = trigger.settings;
      if (subscription) await checkSubscription(db, caller, subscription);
      requireOpenVerification(trigger.settings);
      if (path !== undefined) requireFreePath(await db.webhook.count({ where: { workflowId, path } }));
      return;
    }
    case 'form': {
      const { path } = trigger.settings;
      return requireFreePath(await db.form.count({ where: { workflowId, path } }));
    }
    case 'chat': {
      const { path } = trigger.settings;
      return requireFreePath(await db.chat.count({ where: { workflowId, path } }));
    }
    case 'schedule': {
      const issues = cronIssues(trigger.settings.cron, trigger.settings.timezone ?? 'UTC');
      if (issues.length > 0) throw invalidRequestProblem(issues);
      return;
    }
    case 'poll': {
      const { intervalMs = null, cron = null, timezone = null, cursor = null, ...settings } = trigger.settings;
      await requireNodeUse(db, caller, settings.node);
      await requireValidPoll(db, caller.workspaceId, { ...settings, intervalMs, cron, timezone, cursor });
    }
  }
}

type WebhookSettings = (TemplateTrigger & { kind: 'webhook' })['settings'];

/** A model must not choose a secret, and only a person knows that of a sender. */
function requireOpenVerification({ verification, subscription, path }: WebhookSettings): void {
  if (subscription) {
    if (verification) throw invalidFieldProblem('verification', 'is that of the provider: leave it out');
    return;
  }
  const kind = verification?.kind ?? 'signature';
  const fields: readonly string[] = SECRET_FIELDS_BY_KIND[kind];
  if (kind !== 'signature' && fields.length > 0)
    throw invalidFieldProblem('verification', 'needs a secret that only the user knows: use signature or none');
  if (fields.some((field) => Object.hasOwn(verification ?? {}, field)))
    throw invalidFieldProblem('verification', 'must not contain a secret: the service makes it');
  if (kind !== 'none' && path === undefined) throw invalidFieldProblem('path', 'is required');
}

function requireFreePath(count: number): void {
  if (count > 0) throw invalidFieldProblem('path', 'is taken by another trigger of the workflow');
}
