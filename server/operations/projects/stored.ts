import { Prisma } from '@/generated/prisma/client';
import type { Workflow as Row } from '@/generated/prisma/client';
import type { Project } from '@/contract/projects/project';
import type { Definition } from '@/contract/workflows/workflow';
import type { Db } from '@/server/db/client';
import { withReferences } from '@/server/workflow/references';
import { limitOf, settingsOf } from '../workflows/settings';
import { PART_KINDS, partsOf, type Part, type PartKind, type Rename } from './parts';
import type { OuterCall } from './within';

export type WorkflowItem = Project['workflows'][number];

/** Folders of a workspace by id: their names from the top level down. */
export async function folderPaths(db: Db, workspaceId: string): Promise<Map<string, string[]>> {
  const rows = await db.folder.findMany({ where: { workspaceId }, select: { id: true, parentId: true, name: true } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const pathOf = (id: string | null): string[] => {
    const row = id === null ? undefined : byId.get(id);
    return row ? [...pathOf(row.parentId), row.name] : [];
  };
  return new Map(rows.map(({ id }) => [id, pathOf(id)]));
}

/** Which of these workflows have parts of which kind, as `webhook wf_…`, so that only those are listed. */
export async function partsPresent(db: Db, workflowIds: string[]): Promise<Set<string>> {
  if (workflowIds.length === 0) return new Set();
  const selects = PART_KINDS.map(
    ({ kind, table }) =>
      Prisma.sql`SELECT ${kind} || ' ' || workflow_id AS present FROM ${Prisma.raw(table)} WHERE workflow_id = ANY(${workflowIds})`,
  );
  const rows = await db.$queryRaw<{ present: string }[]>(Prisma.join(selects, ' UNION '));
  return new Set(rows.map(({ present }) => present));
}

/** How the ids of a workspace are expressed in files. */
export interface Expressed {
  toKey: Rename;
  folders: ReadonlyMap<string, string[]>;
  present: ReadonlySet<string>;
}

/** The parts of a workflow, by their kinds. */
export async function storedParts(
  call: OuterCall,
  workflowId: string,
  { present, toKey }: Pick<Expressed, 'present' | 'toKey'>,
): Promise<Map<PartKind, Part[]>> {
  const found = new Map<PartKind, Part[]>();
  for (const kind of PART_KINDS)
    found.set(kind, present.has(`${kind.kind} ${workflowId}`) ? await partsOf(call, kind, workflowId, toKey) : []);
  return found;
}

/** A workflow as it would be in the files, without its triggers and tests. */
export function headOf(row: Row, { toKey, folders }: Pick<Expressed, 'toKey' | 'folders'>) {
  const { errorWorkflowId, concurrency: _, ...settings } = settingsOf(row);
  const errorWorkflow =
    errorWorkflowId === null
      ? null
      : toKey({ resource: 'workflow', id: errorWorkflowId, field: 'settings.errorWorkflow' });
  return {
    name: row.name,
    description: row.description,
    status: row.status as WorkflowItem['status'],
    folder: folders.get(row.folderId ?? '') ?? [],
    tags: row.tags,
    concurrency: limitOf(row),
    settings: { ...settings, errorWorkflow },
    definition: withReferences(row.definition as Definition, toKey),
  };
}
