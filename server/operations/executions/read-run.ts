import type { Execution } from '@/contract/execution';
import type { Caller } from '@/server/access/caller';
import { shownTo } from '@/server/access/links';
import { readExecution } from '@/server/engine/report/report';
import { notFound } from '@/server/errors/problem';

/** An execution as the caller may see it; null: the workspace has none with this id. */
export async function findRun(caller: Caller, id: string): Promise<Execution | null> {
  const execution = await readExecution(caller.workspaceId, id);
  return execution && shownTo(caller, execution);
}

/** The same. Throws 404 if there is none. */
export async function readRun(caller: Caller, id: string): Promise<Execution> {
  const execution = await findRun(caller, id);
  if (!execution) throw notFound('The execution');
  return execution;
}
