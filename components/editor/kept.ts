import type { Definition } from '@/contract/workflow';
import { isDrawable } from '../canvas/drawable';

/** Work that the service doesn't have yet, kept in this browser. */
export interface Kept {
  version: number;
  name: string;
  definition: Definition;
}

const keyOf = (workflowId: string) => `weft.unsaved.${workflowId}`;

/** Full or forbidden storage loses the spare copy, not the work on the canvas. */
export function keep(workflowId: string, work: Kept | undefined): boolean {
  try {
    if (work) localStorage.setItem(keyOf(workflowId), JSON.stringify(work));
    else localStorage.removeItem(keyOf(workflowId));
    return true;
  } catch {
    return false;
  }
}

/** What was left behind by a tab that closed before it could save. */
export function kept(workflowId: string): Kept | undefined {
  try {
    const left = JSON.parse(localStorage.getItem(keyOf(workflowId)) ?? '{}') as { [Part in keyof Kept]: unknown };
    const { version, name, definition } = left;
    return typeof version === 'number' && typeof name === 'string' && isDrawable(definition)
      ? { version, name, definition }
      : undefined;
  } catch {
    return undefined;
  }
}
