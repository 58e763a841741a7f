import { Prisma } from '@/generated/prisma/client';
import type { Workflow as Row } from '@/generated/prisma/client';
import type { ProjectContent } from '@/contract/projects/project';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { DatabaseClient } from '@/server/platform/db/client';
import { replaceReferences } from '@/server/workflow/definition/references';
import { toRunLimit, toWorkflowSettings } from '../workflows/settings';
import type { WorkflowPart, WorkflowPartKind, ReferenceMapper } from './part-kind';
import { WORKFLOW_PART_KINDS, listWorkflowParts } from './workflow-parts';
import type { EnclosingCall } from './run-operation-inside';

export type ProjectWorkflowItem = ProjectContent['workflows'][number];

/** Reads the paths of all folders of a workspace by id, as names from the top level down. */
export async function readFolderPaths(db: DatabaseClient, workspaceId: string): Promise<Map<string, string[]>> {
  const rows = await db.folder.findMany({ where: { workspaceId }, select: { id: true, parentId: true, name: true } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const pathOf = (id: string | null): string[] => {
    const row = id === null ? undefined : byId.get(id);
    return row ? [...pathOf(row.parentId), row.name] : [];
  };
  return new Map(rows.map(({ id }) => [id, pathOf(id)]));
}

/** Finds which workflows have parts of which kind, as `webhook wf_…`, so that only those are listed. */
export async function findPresentParts(db: DatabaseClient, workflowIds: string[]): Promise<Set<string>> {
  if (workflowIds.length === 0) return new Set();
  const selects = WORKFLOW_PART_KINDS.map(
    ({ kind, table }) =>
      Prisma.sql`SELECT ${kind} || ' ' || workflow_id AS present FROM ${Prisma.raw(table)} WHERE workflow_id = ANY(${workflowIds})`,
  );
  const rows = await db.$queryRaw<{ present: string }[]>(Prisma.join(selects, ' UNION '));
  return new Set(rows.map(({ present }) => present));
}

/** Says how the ids of a workspace become keys and paths in the files. */
export interface ProjectNaming {
  toKey: ReferenceMapper;
  folders: ReadonlyMap<string, string[]>;
  present: ReadonlySet<string>;
}

/** The parts of a workflow, by their kinds. */
export async function readWorkflowParts(
  call: EnclosingCall,
  workflowId: string,
  { present, toKey }: Pick<ProjectNaming, 'present' | 'toKey'>,
): Promise<Map<WorkflowPartKind, WorkflowPart[]>> {
  const found = new Map<WorkflowPartKind, WorkflowPart[]>();
  for (const kind of WORKFLOW_PART_KINDS)
    found.set(
      kind,
      present.has(`${kind.kind} ${workflowId}`) ? await listWorkflowParts(call, kind, workflowId, toKey) : [],
    );
  return found;
}

/** Turns a stored workflow into its form in the files, without triggers and tests. */
export function toProjectHead(row: Row, { toKey, folders }: Pick<ProjectNaming, 'toKey' | 'folders'>) {
  const { errorWorkflowId, concurrency: _, ...settings } = toWorkflowSettings(row);
  const errorWorkflow =
    errorWorkflowId === null
      ? null
      : toKey({ resource: 'workflow', id: errorWorkflowId, field: 'settings.errorWorkflow' });
  return {
    name: row.name,
    description: row.description,
    status: row.status as ProjectWorkflowItem['status'],
    folder: folders.get(row.folderId ?? '') ?? [],
    tags: row.tags,
    concurrency: toRunLimit(row),
    settings: { ...settings, errorWorkflow },
    definition: replaceReferences(row.definition as WorkflowDefinition, toKey),
  };
}
