import { z } from 'zod';
import { WorkflowStatus } from './workflow';

/** A workflow that calls another one. */
export const WorkflowCaller = z
  .object({ id: z.string(), name: z.string(), status: WorkflowStatus })
  .meta({ id: 'WorkflowCaller' });
export type WorkflowCaller = z.infer<typeof WorkflowCaller>;

export const WorkflowCallers = z.object({ data: z.array(WorkflowCaller) }).meta({ id: 'WorkflowCallers' });
