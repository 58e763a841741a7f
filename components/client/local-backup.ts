import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { isDrawableDefinition } from '@/components/graph/drawable';

/** Unsaved work, stored in this browser until the service has it. */
export interface LocalDraftBackup {
  version: number;
  name: string;
  definition: WorkflowDefinition;
}

const backupStorageKey = (workflowId: string) => `weft.unsaved.${workflowId}`;

/** Writes the backup, or removes it. False: the storage is full or disabled; the work on the canvas is not affected. */
export function writeLocalBackup(workflowId: string, work: LocalDraftBackup | undefined): boolean {
  try {
    if (work) localStorage.setItem(backupStorageKey(workflowId), JSON.stringify(work));
    else localStorage.removeItem(backupStorageKey(workflowId));
    return true;
  } catch {
    return false;
  }
}

/** The backup of a tab that closed before it could save. */
export function readLocalBackup(workflowId: string): LocalDraftBackup | undefined {
  try {
    const left = JSON.parse(localStorage.getItem(backupStorageKey(workflowId)) ?? '{}') as {
      [Part in keyof LocalDraftBackup]: unknown;
    };
    const { version, name, definition } = left;
    return typeof version === 'number' && typeof name === 'string' && isDrawableDefinition(definition)
      ? { version, name, definition }
      : undefined;
  } catch {
    return undefined;
  }
}
