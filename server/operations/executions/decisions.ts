import { DecisionLookRequest, DecisionRequest, PendingDecision, type DecisionWord } from '@/contract/execution';
import { operation, publicAccess } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { conflict, invalidField } from '@/server/errors/problem';
import type { Db } from '@/server/db/client';
import { approvalAt, type Approval } from '@/server/engine/attempt/approvals';
import { readDecisionToken, type Invited } from '@/server/engine/attempt/decision-link';
import { dataOf } from './decision-data';
import { decide } from '@/server/engine/queue/requests';

const tag = 'Executions';

/** The approval of a token, while its holder may still decide. */
async function invited(db: Db, token: string): Promise<Invited & { approval: Approval }> {
  const read = readDecisionToken(token);
  const approval = read && (await approvalAt(db, null, read.executionId, read.nodeId));
  if (!read || !approval?.assignees.includes(read.email)) {
    throw invalidField('token', 'is not valid or has expired');
  }
  return { ...read, approval };
}

/** The data of the page behind a link, before and after the decision. */
async function presentDecision(db: Db, token: string): Promise<PendingDecision> {
  const { executionId, nodeId, email, until, approval } = await invited(db, token);
  const decision = await db.decision.findUnique({ where: { executionId_nodeId: { executionId, nodeId } } });
  return {
    workflow: approval.workflow,
    message: approval.message,
    email,
    expiresAt: until === null ? null : new Date(until).toISOString(),
    isOpen: approval.isOpen && decision === null,
    decision: (decision?.decision ?? null) as DecisionWord | null,
    ...(approval.fields.length > 0 ? { fields: approval.fields } : {}),
  };
}

const look = operation({
  id: 'decisions.look',
  method: 'POST',
  path: '/api/decisions/look',
  summary: 'Read the approval behind a mailed link',
  tag,
  access: publicAccess(),
  effect: readEffect(),
  body: jsonBody(DecisionLookRequest),
  reply: jsonReply(PendingDecision),
  run: ({ db }, { body: { token } }) => presentDecision(db, token),
});

const make = operation({
  id: 'decisions.make',
  method: 'POST',
  path: '/api/decisions',
  summary: 'Decide an approval by a mailed link',
  description: 'Without sign-in, once: of several decisions exactly one counts, the others answer 409.',
  tag,
  access: publicAccess(),
  effect: writeEffect('resource_access'),
  body: jsonBody(DecisionRequest),
  reply: jsonReply(PendingDecision),
  async run({ db, note }, { body: { token, decision, comment = null, data: given } }) {
    const { executionId, nodeId, email, approval } = await invited(db, token);
    const { workspaceId } = approval;
    note({ workspaceId, resourceId: executionId, metadata: { nodeId, decision, decidedBy: email } });
    const data = approval.isOpen ? await dataOf(approval, decision, given) : undefined;
    const answer = await decide(db, { workspaceId, executionId, nodeId, decision, comment, decidedBy: email, data });
    if (answer !== 'decided') throw conflict('This approval has been decided or has expired.');
    return presentDecision(db, token);
  },
});

export const decisions = [look, make];
