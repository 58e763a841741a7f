import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { findHeldRoles, combineRoleRights } from '@/server/people/access/permissions';
import { findRefusedReferences } from '@/server/people/access/references';
import type { DatabaseClient } from '@/server/platform/db/client';
import { runPageUrl } from '@/server/platform/env/run-url';
import { ApiProblem } from '@/server/platform/errors/problem';
import { findRunInputIssues } from '@/server/workflow/nodes/flow/start';
import { activationIssues } from '@/server/workflow/definition/readiness';
import { submitRun } from '../queue/submit';
import type { EndedRun, ErrorWorkflowSetting } from './ended-run';

/** Returns the setting of the workflow, or that of the workspace if the workflow names no error workflow. */
function errorWorkflowSetting({ ofWorkflow, ofWorkspace }: EndedRun): ErrorWorkflowSetting {
  return ofWorkflow.errorWorkflowId ? ofWorkflow : ofWorkspace;
}

/** Error runs, runs that they have started, and runs of the error workflow itself start nothing: no endless loop. */
const isCausedByErrorRun = ({ trigger, rootTrigger, workflowId }: EndedRun, target: string) =>
  trigger === 'error' || rootTrigger === 'error' || workflowId === target;

/** Whether the person who named the error workflow is a member who may run it. */
async function mayRunErrorWorkflow(
  db: DatabaseClient,
  workspaceId: string,
  userId: string | undefined,
  id: string,
): Promise<boolean> {
  if (userId === undefined) return false;
  const member = await db.member.findUnique({
    where: { workspaceId_userId: { workspaceId, userId } },
    select: { user: { select: { email: true } } },
  });
  if (!member) return false;
  const { permissions } = combineRoleRights(await findHeldRoles(db, workspaceId, userId));
  const holder = { workspaceId, userId, email: member.user.email, permissions };
  return (await findRefusedReferences(db, holder, [{ resource: 'workflow', id }])).length === 0;
}

/** Notes in the log of the failed run whether its error workflow was started. */
const logErrorWorkflowNote = (db: DatabaseClient, executionId: string, level: 'info' | 'warn', message: string) =>
  db.logEntry.create({ data: { executionId, level, message, timestamp: new Date() } });

async function readErrorWorkflowInput(db: DatabaseClient, run: EndedRun) {
  const { id, workflowId, workflowName, trigger, error, startedAt, completedAt } = run;
  const { input } = await db.execution.findUniqueOrThrow({ where: { id }, select: { input: true } });
  const times = { startedAt: startedAt.toISOString(), failedAt: completedAt.toISOString() };
  return { execution: { id, url: runPageUrl(id), workflowId, workflowName, trigger, error, ...times }, input };
}

/** Returns why the workflow cannot run with this input; null: it can. */
async function findStartObstacle(
  db: DatabaseClient,
  workspaceId: string,
  definition: WorkflowDefinition,
  input: unknown,
): Promise<string | null> {
  const [issue] = [
    ...(await activationIssues(db, workspaceId, definition)),
    ...(await findRunInputIssues(definition, input, { workspaceId })),
  ];
  return issue ? `${issue.field}: ${issue.message}` : null;
}

/**
 * Starts the error workflow of a failed run, as part of a transaction. If it cannot be started, the reason is written
 * into the log of the failed run.
 */
export async function startErrorWorkflow(db: DatabaseClient, run: EndedRun): Promise<void> {
  const { errorWorkflowId: target, errorWorkflowBy } = errorWorkflowSetting(run);
  if (run.status !== 'failed' || !target || isCausedByErrorRun(run, target)) return;
  const { workspaceId } = run;
  const refuse = (reason: string) =>
    logErrorWorkflowNote(db, run.id, 'warn', `The error workflow was not started: ${reason}`);
  const workflow = await db.workflow.findFirst({
    where: { id: target, workspaceId },
    select: { name: true, version: true, definition: true },
  });
  if (!workflow) return void (await refuse('it was deleted.'));
  if (!(await mayRunErrorWorkflow(db, workspaceId, errorWorkflowBy, target)))
    return void (await refuse('the person who chose it lacks the permission workflow:execute on it.'));
  const input = await readErrorWorkflowInput(db, run);
  const reason = await findStartObstacle(db, workspaceId, workflow.definition as unknown as WorkflowDefinition, input);
  if (reason !== null) return void (await refuse(reason));
  const base = { workspaceId, workflowId: target, workflowVersion: workflow.version, createdBy: null };
  try {
    const { executionId } = await submitRun({ ...base, trigger: 'error', input }, { db });
    await logErrorWorkflowNote(db, run.id, 'info', `Started the error workflow ${workflow.name} as ${executionId}.`);
  } catch (error) {
    // A quota that is used up: refused before anything is written.
    if (!(error instanceof ApiProblem)) throw error;
    await refuse(error.message);
  }
}
