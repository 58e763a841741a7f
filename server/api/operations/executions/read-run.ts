import type { ExecutionResponse } from '@/contract/execution';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { visibleValue } from '@/server/people/access/links';
import { readExecutionReport } from '@/server/engine/report/report';
import { notFoundProblem } from '@/server/platform/errors/problem';

/** An execution as the caller may see it; null: the workspace has none with this id. */
export async function findVisibleRun(caller: WorkspaceCaller, id: string): Promise<ExecutionResponse | null> {
  const execution = await readExecutionReport(caller.workspaceId, id);
  return execution && visibleValue(caller, execution);
}

/** Returns the execution as the caller may see it. Throws 404 if there is none. */
export async function requireVisibleRun(caller: WorkspaceCaller, id: string): Promise<ExecutionResponse> {
  const execution = await findVisibleRun(caller, id);
  if (!execution) throw notFoundProblem('The execution');
  return execution;
}
