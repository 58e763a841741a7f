import type { Definition } from '@/contract/workflows/workflow';
import { isDrawable } from '@/components/graph/drawable';

/** Unsaved work, stored in this browser until the service has it. */
export interface LocalBackup {
  version: number;
  name: string;
  definition: Definition;
}

const keyOf = (workflowId: string) => `weft.unsaved.${workflowId}`;

/** Writes the backup, or removes it. False: the storage is full or disabled; the work on the canvas is not affected. */
export function writeBackup(workflowId: string, work: LocalBackup | undefined): boolean {
  try {
    if (work) localStorage.setItem(keyOf(workflowId), JSON.stringify(work));
    else localStorage.removeItem(keyOf(workflowId));
    return true;
  } catch {
    return false;
  }
}

/** The backup of a tab that closed before it could save. */
export function readBackup(workflowId: string): LocalBackup | undefined {
  try {
    const left = JSON.parse(localStorage.getItem(keyOf(workflowId)) ?? '{}') as {
      [Part in keyof LocalBackup]: unknown;
    };
    const { version, name, definition } = left;
    return typeof version === 'number' && typeof name === 'string' && isDrawable(definition)
      ? { version, name, definition }
      : undefined;
  } catch {
    return undefined;
  }
}
