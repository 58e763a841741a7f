import { z } from 'zod';
import { JsonObject, asStored } from '../text';

/** What a program or an agent can call over MCP: a workflow, or an operation on executions. */
export const WorkflowTool = z
  .object({
    name: z.string().meta({ example: 'send_invoice' }),
    title: z.string(),
    description: z.string(),
    workflowId: z.string().nullable().meta({ description: 'Null: an operation on executions' }),
    inputSchema: asStored(JsonObject.meta({ description: 'JSON Schema of an object' })),
  })
  .meta({ id: 'WorkflowTool' });
export type WorkflowTool = z.infer<typeof WorkflowTool>;

export const WorkflowToolList = z.object({ data: z.array(WorkflowTool) }).meta({ id: 'WorkflowToolList' });

/** Names of the tools that are operations on executions. */
export const GET_EXECUTION = 'executions.get';
export const RESUME_EXECUTION = 'executions.resume';
