import type { ProjectWorkflow } from '@/contract/projects/project';
import type { ProjectObjectType } from '@/contract/projects/project-plan';
import type { KeyedReference } from '@/server/workflow/definition/references';
import type { EnclosingCall } from './run-operation-inside';

/** Replaces the id of a reference by the key of its object, or the other way round. */
export type ReferenceMapper = (reference: KeyedReference) => string;

/** Keeps the ids of a workspace. */
export const keepReferenceId: ReferenceMapper = ({ id }) => id;

export type ProjectItem = Record<string, unknown>;
export type PartResponse = { id: string } & ProjectItem;

/** A trigger or test that is stored, as it would be in the files. */
export interface WorkflowPart {
  id: string;
  item: ProjectItem;
}

/** Describes how one kind of trigger, or tests, of a workflow are listed, changed and found again. */
export interface WorkflowPartKind {
  kind: Exclude<ProjectObjectType, 'table' | 'variable' | 'credential' | 'folder' | 'workflow'>;
  /** The database table that stores this kind. */
  table: string;
  itemsIn(workflow: ProjectWorkflow): ProjectItem[];
  list(
    call: EnclosingCall,
    id: string,
    query: { limit: number; offset: number },
  ): Promise<{ data: PartResponse[]; total: number }>;
  create(call: EnclosingCall, id: string, body: ProjectItem): Promise<unknown>;
  update(call: EnclosingCall, id: string, partId: string, body: ProjectItem): Promise<unknown>;
  remove(call: EnclosingCall, id: string, partId: string): Promise<unknown>;
  /** Two of one workflow with the same name are told apart by their order. */
  itemName(item: ProjectItem): string;
  toItem(stored: PartResponse, toKey: ReferenceMapper): ProjectItem;
  toBody(item: ProjectItem, toId: ReferenceMapper): ProjectItem;
  /** Says what a person has to do before an item can be stored. `before` is the stored item. */
  manualStep?(item: ProjectItem, before: ProjectItem | undefined): string | undefined;
  /** Says what a person has to do after an item was stored. */
  followUpNote?(item: ProjectItem, before: ProjectItem | undefined): string | undefined;
}

export const pickFields = (stored: ProjectItem, fields: readonly string[]): ProjectItem =>
  Object.fromEntries(
    fields.flatMap((field) => (stored[field] === undefined || stored[field] === null ? [] : [[field, stored[field]]])),
  );

/** Removes fields that are null, which means the same as leaving them out. */
export const withoutEmptyFields = (item: ProjectItem): ProjectItem => pickFields(item, Object.keys(item));

/** The start node of a part stays in the files; null and absent mean the same. */
export const withoutNullStart = <Item extends ProjectItem>(item: Item): Item => {
  const { startNodeId, ...rest } = item;
  return startNodeId === null ? (rest as Item) : item;
};

/** A change to an item that names no start node removes the one that is stored. */
export const withStartNode = (body: ProjectItem): ProjectItem => ({ startNodeId: null, ...body });
