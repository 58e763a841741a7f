import { z } from 'zod';
import { ObjectId } from '../shared-fields';
import { WorkflowStatus } from './workflow';

/** A workflow that calls another one. */
export const WorkflowCaller = z
  .object({ id: ObjectId, name: z.string().describe('What people call it'), status: WorkflowStatus })
  .meta({ id: 'WorkflowCaller', description: 'A workflow that runs another one' });
export type WorkflowCaller = z.infer<typeof WorkflowCaller>;

export const ListCallersResponse = z
  .object({ data: z.array(WorkflowCaller).describe('The items') })
  .meta({ id: 'WorkflowCallers', description: 'The workflows that run a workflow' });
