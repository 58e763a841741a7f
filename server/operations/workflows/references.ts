import type { FieldError } from '@/contract/error';
import type { Definition, Workflow } from '@/contract/workflows/workflow';
import { invalid, Problem } from '@/server/errors/problem';
import type { Caller } from '@/server/access/caller';
import { permissionFor, refusedAmong } from '@/server/access/references';
import { needsPermission } from '@/server/access/require';
import type { Db } from '@/server/db/client';
import { unknownConnectors } from '@/server/workflow/connectors';
import { newReferences, referencesIn, runsAlike, tableIssues, type Reference } from '@/server/workflow/references';
import { refusedToRuns } from '@/server/engine/attempt/authority';

const NOTHING: Definition = { nodes: [], connections: [] };

const needs = (reference: Reference): FieldError => ({
  field: reference.field,
  message: needsPermission(permissionFor(reference), reference.id),
});

/**
 * Throws 403 that lists each credential, workflow and table that the caller may not use at a node that is new or changed since
 * `before`, and 400 for tables and connectors that the workspace does not have. Unchanged nodes need no permission.
 */
export async function requireReferences(
  db: Db,
  caller: Caller,
  after: Definition,
  before: Definition = NOTHING,
): Promise<void> {
  const references = newReferences(before, after);
  const refusedReferences = await refusedAmong(db, caller, references);
  if (refusedReferences.length === 0) {
    const { workspaceId } = caller;
    const tables = await tableIssues(db, workspaceId, references);
    const issues = [...tables, ...(await unknownConnectors(db, workspaceId, after, before))];
    if (issues.length > 0) throw invalid(issues);
    return;
  }
  throw new Problem(
    'FORBIDDEN',
    'The definition refers to objects that you are not permitted to use.',
    refusedReferences.map(needs),
  );
}

/**
 * Whose permissions the runs of a version use that the caller saves, publishes or activates: the caller's. If the caller may not use every
 * reference, the authority stays unchanged as long as runs do the same as before, so that renaming or resuming a workflow does not break
 * it.
 */
export async function authorityFor(
  db: Db,
  caller: Caller,
  after: Definition,
  before: Pick<Workflow, 'id' | 'version' | 'definition'>,
): Promise<string> {
  if (!runsAlike(before.definition, after)) return caller.userId;
  const refusedReferences = await refusedAmong(db, caller, referencesIn(after));
  if (refusedReferences.length === 0) return caller.userId;
  const { authorizedBy, createdBy, workflow } = await db.workflowVersion.findUniqueOrThrow({
    where: { workflowId_version: { workflowId: before.id, version: before.version } },
    select: { authorizedBy: true, createdBy: true, workflow: { select: { createdBy: true } } },
  });
  return authorizedBy ?? createdBy ?? workflow.createdBy ?? caller.userId;
}

/**
 * The references of `definition`, the last saved one of workflow `live`, that its runs may not use. If triggers run it
 * now, its publisher's permissions count; if it waits to be published or activated, those of `caller`.
 */
export async function usageGaps(
  db: Db,
  caller: Caller,
  live: Pick<Workflow, 'id' | 'version' | 'definition' | 'status' | 'draftVersion'>,
  definition: Definition,
): Promise<FieldError[]> {
  const references = referencesIn(definition);
  const isRunning = live.status === 'active' && live.draftVersion === null;
  if (!isRunning && (await authorityFor(db, caller, definition, live)) === caller.userId) {
    return (await refusedAmong(db, caller, references)).map(needs);
  }
  const refusedReferences = await refusedToRuns({ workflowId: live.id, workflowVersion: live.version }, references);
  return refusedReferences.map((reference) => ({
    field: reference.field,
    message: `is refused to runs: the user who published this version lacks ${permissionFor(reference)} on ${reference.id}`,
  }));
}
