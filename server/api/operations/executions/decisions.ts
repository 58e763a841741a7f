import { ReadDecisionRequest, MakeDecisionRequest, PendingDecision, type ApprovalDecision } from '@/contract/approval';
import { defineOperation, publicAccess } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { conflictProblem, invalidFieldProblem } from '@/server/platform/errors/problem';
import type { DatabaseClient } from '@/server/platform/db/client';
import { findApproval, type ReachedApproval } from '@/server/engine/attempt/approvals';
import { readDecisionToken, type DecisionInvitation } from '@/server/engine/attempt/decision-link';
import { checkDecisionData } from './decision-data';
import { recordDecision } from '@/server/engine/queue/requests';

const DECISION_TAG = 'Executions';

/** Returns the approval of a token. Throws unless its holder may still decide. */
async function requireInvitedApproval(
  db: DatabaseClient,
  token: string,
): Promise<DecisionInvitation & { approval: ReachedApproval }> {
  const read = readDecisionToken(token);
  const approval = read && (await findApproval(db, null, read.executionId, read.nodeId));
  if (!read || !approval?.assignees.includes(read.email)) {
    throw invalidFieldProblem('token', 'is not valid or has expired');
  }
  return { ...read, approval };
}

/** Reads the data of the page behind a mailed link, before and after the decision. */
async function readPendingDecision(db: DatabaseClient, token: string): Promise<PendingDecision> {
  const { executionId, nodeId, email, until, approval } = await requireInvitedApproval(db, token);
  const decision = await db.decision.findUnique({ where: { executionId_nodeId: { executionId, nodeId } } });
  return {
    workflow: approval.workflow,
    message: approval.message,
    email,
    expiresAt: until === null ? null : new Date(until).toISOString(),
    isOpen: approval.isOpen && decision === null,
    decision: (decision?.decision ?? null) as ApprovalDecision | null,
    ...(approval.fields.length > 0 ? { fields: approval.fields } : {}),
  };
}

const viewDecisionOperation = defineOperation({
  id: 'decisions.look',
  method: 'POST',
  path: '/api/decisions/look',
  summary: 'Read the approval behind a mailed link',
  tag: DECISION_TAG,
  access: publicAccess(),
  effect: readEffect(),
  body: jsonBody(ReadDecisionRequest),
  reply: jsonReply(PendingDecision),
  run: ({ db }, { body: { token } }) => readPendingDecision(db, token),
});

const makeDecisionOperation = defineOperation({
  id: 'decisions.make',
  method: 'POST',
  path: '/api/decisions',
  summary: 'Decide an approval by a mailed link',
  description: 'Without sign-in, once: of several decisions exactly one counts, the others answer 409.',
  tag: DECISION_TAG,
  access: publicAccess(),
  effect: writeEffect('resource_access'),
  body: jsonBody(MakeDecisionRequest),
  reply: jsonReply(PendingDecision),
  async run({ db, note }, { body: { token, decision, comment = null, data: given } }) {
    const { executionId, nodeId, email, approval } = await requireInvitedApproval(db, token);
    const { workspaceId } = approval;
    note({ workspaceId, resourceId: executionId, metadata: { nodeId, decision, decidedBy: email } });
    const data = approval.isOpen ? await checkDecisionData(approval, decision, given) : undefined;
    const answer = await recordDecision(db, {
      workspaceId,
      executionId,
      nodeId,
      decision,
      comment,
      decidedBy: email,
      data,
    });
    if (answer !== 'decided') throw conflictProblem('This approval has been decided or has expired.');
    return readPendingDecision(db, token);
  },
});

export const decisionOperations = [viewDecisionOperation, makeDecisionOperation];
