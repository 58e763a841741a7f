import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { findRefusedReferences } from '@/server/people/access/references';
import type { DatabaseClient } from '@/server/platform/db/client';
import { unknownConnectorIssues } from '@/server/workflow/definition/connectors';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { activationIssues } from '@/server/workflow/definition/readiness';
import { addedReferences, missingTableIssues, type ResourceReference } from '@/server/workflow/definition/references';

/** The result that saving a definition would have. */
export interface DefinitionVerdict {
  /** Why it would be refused. */
  issues: FieldIssue[];
  /** What is missing before it can run; empty if there are issues. */
  gaps: FieldIssue[];
}

/** Checks a definition as a save by the caller does. `before`: what is on the canvas. */
export async function checkDefinition(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  { before, definition, signal }: { before: WorkflowDefinition; definition: WorkflowDefinition; signal: AbortSignal },
): Promise<DefinitionVerdict> {
  const { workspaceId } = caller;
  const issues = await definitionIssues(definition, { workspaceId, signal });
  if (issues.length > 0) return { issues, gaps: [] };
  const references = addedReferences(before, definition);
  const refused = await findRefusedReferences(db, caller, references);
  const unusable = [
    ...refused.map(({ field }) => ({ field, message: 'may not be used by the user' })),
    ...(await missingTableIssues(db, workspaceId, references)),
    ...(await missingWorkflowIssues(db, workspaceId, references)),
    ...(await unknownConnectorIssues(db, workspaceId, definition, before)),
  ];
  if (unusable.length > 0) return { issues: unusable, gaps: [] };
  return { issues: [], gaps: await activationIssues(db, workspaceId, definition) };
}

async function missingWorkflowIssues(
  db: DatabaseClient,
  workspaceId: string,
  references: ResourceReference[],
): Promise<FieldIssue[]> {
  const named = references.filter(({ resource }) => resource === 'workflow');
  if (named.length === 0) return [];
  const where = { workspaceId, id: { in: named.map(({ id }) => id) } };
  const known = new Set((await db.workflow.findMany({ where, select: { id: true } })).map(({ id }) => id));
  return named.flatMap(({ id, field }) =>
    known.has(id) ? [] : { field, message: 'this workflow does not exist in the workspace' },
  );
}
