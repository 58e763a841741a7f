import type { FieldError } from '@/contract/error';
import type { Definition } from '@/contract/workflows/workflow';
import type { Caller } from '@/server/access/caller';
import { refusedAmong } from '@/server/access/references';
import type { Db } from '@/server/db/client';
import { unknownConnectors } from '@/server/workflow/connectors';
import { definitionIssues } from '@/server/workflow/definition';
import { gapsOf } from '@/server/workflow/readiness';
import { newReferences, tableIssues, type Reference } from '@/server/workflow/references';

/** What a save would say about a definition. */
export interface Verdict {
  /** Why it would be refused. */
  issues: FieldError[];
  /** What is missing before it can run; empty if there are issues. */
  gaps: FieldError[];
}

/** Checks a definition as a save by the caller does. `before`: what is on the canvas. */
export async function check(
  db: Db,
  caller: Caller,
  { before, definition, signal }: { before: Definition; definition: Definition; signal: AbortSignal },
): Promise<Verdict> {
  const { workspaceId } = caller;
  const issues = await definitionIssues(definition, { workspaceId, signal });
  if (issues.length > 0) return { issues, gaps: [] };
  const references = newReferences(before, definition);
  const refused = await refusedAmong(db, caller, references);
  const unusable = [
    ...refused.map(({ field }) => ({ field, message: 'may not be used by the user' })),
    ...(await tableIssues(db, workspaceId, references)),
    ...(await workflowIssues(db, workspaceId, references)),
    ...(await unknownConnectors(db, workspaceId, definition, before)),
  ];
  if (unusable.length > 0) return { issues: unusable, gaps: [] };
  return { issues: [], gaps: await gapsOf(db, workspaceId, definition) };
}

async function workflowIssues(db: Db, workspaceId: string, references: Reference[]): Promise<FieldError[]> {
  const named = references.filter(({ resource }) => resource === 'workflow');
  if (named.length === 0) return [];
  const where = { workspaceId, id: { in: named.map(({ id }) => id) } };
  const known = new Set((await db.workflow.findMany({ where, select: { id: true } })).map(({ id }) => id));
  return named.flatMap(({ id, field }) =>
    known.has(id) ? [] : { field, message: 'this workflow does not exist in the workspace' },
  );
}
