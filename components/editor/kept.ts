import { z } from 'zod';
import { Definition } from '@/contract/workflow';

/** Work that the service doesn't have yet, kept in this browser. */
const Kept = z.object({ version: z.number(), name: z.string(), definition: Definition });
export type Kept = z.infer<typeof Kept>;

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
    const parsed = Kept.safeParse(JSON.parse(localStorage.getItem(keyOf(workflowId)) ?? 'null'));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
