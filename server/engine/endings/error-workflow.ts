import type { Definition } from '@/contract/workflows/workflow';
import { rolesOfMember, rightsOf } from '@/server/access/permissions';
import { refusedAmong } from '@/server/access/references';
import type { Db } from '@/server/db/client';
import { runUrl } from '@/server/env/run-url';
import { Problem } from '@/server/errors/problem';
import { inputIssues } from '@/server/nodes/flow/start';
import { gapsOf } from '@/server/workflow/readiness';
import { submit } from '../queue/submit';
import type { EndedRun, ErrorSetting } from './ended-run';

/** The setting that counts for a failed run: that of its workflow, else that of the workspace. */
function settingOf({ ofWorkflow, ofWorkspace }: EndedRun): ErrorSetting {
  return ofWorkflow.errorWorkflowId ? ofWorkflow : ofWorkspace;
}

/** Error runs, runs that they have started, and runs of the error workflow itself start nothing: no endless loop. */
const isOfErrorRun = ({ trigger, rootTrigger, workflowId }: EndedRun, target: string) =>
  trigger === 'error' || rootTrigger === 'error' || workflowId === target;

/** Whether the person who named the error workflow is a member who may run it. */
async function mayStart(db: Db, workspaceId: string, userId: string | undefined, id: string): Promise<boolean> {
  if (userId === undefined) return false;
  const member = await db.member.findUnique({
    where: { workspaceId_userId: { workspaceId, userId } },
    select: { user: { select: { email: true } } },
  });
  if (!member) return false;
  const { permissions } = rightsOf(await rolesOfMember(db, workspaceId, userId));
  const holder = { workspaceId, userId, email: member.user.email, permissions };
  return (await refusedAmong(db, holder, [{ resource: 'workflow', id }])).length === 0;
}

/** Writes into the log of the failed run what came of its error workflow. */
const note = (db: Db, executionId: string, level: 'info' | 'warn', message: string) =>
  db.logEntry.create({ data: { executionId, level, message, timestamp: new Date() } });

async function inputOf(db: Db, run: EndedRun) {
  const { id, workflowId, workflowName, trigger, error, startedAt, completedAt } = run;
  const { input } = await db.execution.findUniqueOrThrow({ where: { id }, select: { input: true } });
  const times = { startedAt: startedAt.toISOString(), failedAt: completedAt.toISOString() };
  return { execution: { id, url: runUrl(id), workflowId, workflowName, trigger, error, ...times }, input };
}

/** Why the workflow can't run with this input; null: it can. */
async function obstacle(db: Db, workspaceId: string, definition: Definition, input: unknown): Promise<string | null> {
  const [issue] = [
    ...(await gapsOf(db, workspaceId, definition)),
    ...(await inputIssues(definition, input, { workspaceId })),
  ];
  return issue ? `${issue.field}: ${issue.message}` : null;
}

/**
 * Starts the error workflow of a failed run, as part of a transaction. What keeps it from starting is written into the
 * log of the failed run.
 */
export async function startErrorWorkflow(db: Db, run: EndedRun): Promise<void> {
  const { errorWorkflowId: target, errorWorkflowBy } = settingOf(run);
  if (run.status !== 'failed' || !target || isOfErrorRun(run, target)) return;
  const { workspaceId } = run;
  const refuse = (reason: string) => note(db, run.id, 'warn', `The error workflow was not started: ${reason}`);
  const workflow = await db.workflow.findFirst({
    where: { id: target, workspaceId },
    select: { name: true, version: true, definition: true },
  });
  if (!workflow) return void (await refuse('it was deleted.'));
  if (!(await mayStart(db, workspaceId, errorWorkflowBy, target)))
    return void (await refuse('the person who chose it lacks the permission workflow:execute on it.'));
  const input = await inputOf(db, run);
  const reason = await obstacle(db, workspaceId, workflow.definition as unknown as Definition, input);
  if (reason !== null) return void (await refuse(reason));
  const base = { workspaceId, workflowId: target, workflowVersion: workflow.version, createdBy: null };
  try {
    const { executionId } = await submit({ ...base, trigger: 'error', input }, { db });
    await note(db, run.id, 'info', `Started the error workflow ${workflow.name} as ${executionId}.`);
  } catch (error) {
    // A quota that is used up: refused before anything is written.
    if (!(error instanceof Problem)) throw error;
    await refuse(error.message);
  }
}
