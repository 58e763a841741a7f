import { z } from 'zod';
import { WorkflowStatus } from './workflow';

/** Workflows that call another one. */
export const WorkflowCallers = z
  .object({ data: z.array(z.object({ id: z.string(), name: z.string(), status: WorkflowStatus })) })
  .meta({ id: 'WorkflowCallers' });
