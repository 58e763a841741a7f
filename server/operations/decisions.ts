import { DecisionLookRequest, DecisionRequest, PendingDecision, type DecisionWord } from '@/contract/execution';
import { operation } from '../api/operation';
import { conflict, invalidField } from '../api/problem';
import type { Db } from '../db/client';
import { approvalAt, type Approval } from '../engine/approvals';
import { readDecisionToken, type Invited } from '../engine/decision-link';
import { decide } from '../engine/requests';

const tag = 'Executions';

/** The approval that a token was made for, as long as it is still theirs to decide. */
async function invited(db: Db, token: string): Promise<Invited & { approval: Approval }> {
  const read = readDecisionToken(token);
  const approval = read && (await approvalAt(db, null, read.executionId, read.nodeId));
  if (!read || !approval?.assignees.includes(read.email)) {
    throw invalidField('token', 'is not valid, or its time is over');
  }
  return { ...read, approval };
}

/** What somebody with a link sees, before and after. */
async function shown(db: Db, token: string): Promise<PendingDecision> {
  const { executionId, nodeId, email, until, approval } = await invited(db, token);
  const made = await db.decision.findUnique({ where: { executionId_nodeId: { executionId, nodeId } } });
  return {
    workflow: approval.workflow,
    message: approval.message,
    email,
    expiresAt: until === null ? null : new Date(until).toISOString(),
    isOpen: approval.isOpen && made === null,
    decision: (made?.decision ?? null) as DecisionWord | null,
  };
}

const look = operation({
  id: 'decisions.look',
  method: 'POST',
  path: '/api/decisions/look',
  summary: 'Read what the link in an approval’s mail asks',
  tag,
  access: 'public',
  effect: 'read',
  body: DecisionLookRequest,
  output: PendingDecision,
  run: ({ db }, { body: { token } }) => shown(db, token),
});

const make = operation({
  id: 'decisions.make',
  method: 'POST',
  path: '/api/decisions',
  summary: 'Decide by the link in an approval’s mail',
  description: 'Without signing in, once: of several decisions exactly one counts, the others answer 409.',
  tag,
  access: 'public',
  effect: 'write',
  body: DecisionRequest,
  output: PendingDecision,
  audit: 'resource_access',
  async run({ db, note }, { body: { token, decision, comment = null } }) {
    const { executionId, nodeId, email, approval } = await invited(db, token);
    const { workspaceId } = approval;
    note({ workspaceId, resourceId: executionId, metadata: { nodeId, decision, decidedBy: email } });
    const answer = await decide(db, { workspaceId, executionId, nodeId, decision, comment, decidedBy: email });
    if (answer !== 'decided') throw conflict('This is not waiting for a decision any more.');
    return shown(db, token);
  },
});

export const decisions = [look, make];
