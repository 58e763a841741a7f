import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowDefinition, WorkflowResponse } from '@/contract/workflows/workflow';
import { invalidRequestProblem, ApiProblem } from '@/server/platform/errors/problem';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { referencePermission, findRefusedReferences } from '@/server/people/access/references';
import { needsPermissionText } from '@/server/people/access/require';
import type { DatabaseClient } from '@/server/platform/db/client';
import { unknownConnectorIssues } from '@/server/workflow/definition/connectors';
import {
  addedReferences,
  definitionReferences,
  runsIdentically,
  missingTableIssues,
  type ResourceReference,
} from '@/server/workflow/definition/references';
import { findObjectsRefusedToRuns } from '@/server/engine/attempt/authority';

const EMPTY_DEFINITION: WorkflowDefinition = { nodes: [], connections: [] };

const toPermissionIssue = (reference: ResourceReference): FieldIssue => ({
  field: reference.field,
  message: needsPermissionText(referencePermission(reference), reference.id),
});

/**
 * Throws 403 that lists each credential, workflow and table that the caller may not use at a node that is new or
 * changed since `before`, and 400 for tables and connectors that the workspace does not have. Unchanged nodes need no
 * permission.
 */
export async function requireUsableReferences(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  after: WorkflowDefinition,
  before: WorkflowDefinition = EMPTY_DEFINITION,
): Promise<void> {
  const references = addedReferences(before, after);
  const refusedReferences = await findRefusedReferences(db, caller, references);
  if (refusedReferences.length === 0) {
    const { workspaceId } = caller;
    const tables = await missingTableIssues(db, workspaceId, references);
    const issues = [...tables, ...(await unknownConnectorIssues(db, workspaceId, after, before))];
    if (issues.length > 0) throw invalidRequestProblem(issues);
    return;
  }
  throw new ApiProblem(
    'FORBIDDEN',
    'The definition refers to objects that you are not permitted to use.',
    refusedReferences.map(toPermissionIssue),
  );
}

/**
 * Decides whose permissions the runs of a version use when the caller saves, publishes or activates it. These are the
 * caller's. If the caller may not use every reference, the authority stays unchanged as long as runs do the same as
 * before, so that renaming or resuming a workflow does not break it.
 */
export async function resolveRunAuthority(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  after: WorkflowDefinition,
  before: Pick<WorkflowResponse, 'id' | 'version' | 'definition'>,
): Promise<string> {
  if (!runsIdentically(before.definition, after)) return caller.userId;
  const refusedReferences = await findRefusedReferences(db, caller, definitionReferences(after));
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
export async function findUsageIssues(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  live: Pick<WorkflowResponse, 'id' | 'version' | 'definition' | 'status' | 'draftVersion'>,
  definition: WorkflowDefinition,
): Promise<FieldIssue[]> {
  const references = definitionReferences(definition);
  const isRunning = live.status === 'active' && live.draftVersion === null;
  if (!isRunning && (await resolveRunAuthority(db, caller, definition, live)) === caller.userId) {
    return (await findRefusedReferences(db, caller, references)).map(toPermissionIssue);
  }
  const refusedReferences = await findObjectsRefusedToRuns(
    { workflowId: live.id, workflowVersion: live.version },
    references,
  );
  return refusedReferences.map((reference) => ({
    field: reference.field,
    message: `is refused to runs: the user who published this version lacks ${referencePermission(reference)} on ${reference.id}`,
  }));
}
