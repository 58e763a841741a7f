import { z } from 'zod';
import { JsonObject, asStored } from '../text';

/** What a program or an agent can call over MCP: a workflow, or an operation on executions. */
export const WorkflowTool = z
  .object({
    name: z.string().meta({ description: 'What a call of the tool says', example: 'send_invoice' }),
    title: z.string().describe('Heading that people see'),
    description: z.string().describe('What it is for; may be empty'),
    workflowId: z.string().nullable().meta({ description: 'Null: an operation on executions' }),
    startNodeId: z.string().nullable().meta({
      description: 'The start node at which its runs begin. Null: every start node, or an operation on executions',
    }),
    inputSchema: asStored(JsonObject.meta({ description: 'JSON Schema of an object' })),
  })
  .meta({ id: 'WorkflowTool', description: 'A workflow, or an operation on executions, that can be called over MCP' });
export type WorkflowTool = z.infer<typeof WorkflowTool>;

export const ListWorkflowToolsResponse = z
  .object({ data: z.array(WorkflowTool).describe('The items') })
  .meta({ id: 'WorkflowToolList', description: 'What can be called over MCP' });

/** Names of the tools that are operations on executions. */
export const GET_EXECUTION_TOOL_NAME = 'executions.get';
export const RESUME_EXECUTION_TOOL_NAME = 'executions.resume';
