import {
  GET_EXECUTION_TOOL_NAME,
  RESUME_EXECUTION_TOOL_NAME,
  ListWorkflowToolsResponse,
  type WorkflowTool,
} from '@/contract/workflows/workflow-tool';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { isActionAllowed, permissionCovers } from '@/server/people/access/conditions';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import type { DatabaseClient } from '@/server/platform/db/client';
import { listInputSchemas } from '@/server/workflow/nodes/flow/start';

export const MAX_MCP_WORKFLOWS = 100;
const MAX_TOOL_NAME_LENGTH = 60;

const describedStringSchema = (description: string) => ({ type: 'string', description });

const EXECUTION_READER_TOOL: WorkflowTool = {
  name: GET_EXECUTION_TOOL_NAME,
  title: 'Read an execution',
  description: 'The state of an execution, its output once it has ended, and the approvals for which it waits.',
  workflowId: null,
  startNodeId: null,
  inputSchema: {
    type: 'object',
    properties: {
      executionId: describedStringSchema('Id of the execution'),
      waitSeconds: { type: 'integer', minimum: 0, maximum: 50, description: 'Waits so long for its end' },
    },
    required: ['executionId'],
    additionalProperties: false,
  },
};

const EXECUTION_DECIDER_TOOL: WorkflowTool = {
  name: RESUME_EXECUTION_TOOL_NAME,
  title: 'Decide an approval',
  description: 'Decides an approval for which an execution waits, as the user of the API key.',
  workflowId: null,
  startNodeId: null,
  inputSchema: {
    type: 'object',
    properties: {
      executionId: describedStringSchema('Id of the execution'),
      nodeId: describedStringSchema('Id of the approval'),
      decision: { type: 'string', enum: ['approved', 'rejected'] },
      comment: describedStringSchema('Shown with the decision'),
      data: { type: 'object', description: 'Values of the fields that the approval asks for' },
    },
    required: ['executionId', 'nodeId', 'decision'],
    additionalProperties: false,
  },
};

/** Turns the name of a workflow into one that MCP clients accept. */
const toToolName = (name: string, id: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, MAX_TOOL_NAME_LENGTH)
    .toLowerCase() ||
  `workflow_${id
    .slice(-8)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')}`;

interface OfferedWorkflow {
  id: string;
  name: string;
  description: string;
  status: string;
  createdBy: string | null;
  startNodeId: string | null;
  starts: WorkflowNode[];
}

/** Reads the workflows that are tools with their start nodes only, because all definitions together would be large. */
const readOfferedWorkflows = (db: DatabaseClient, workspaceId: string): Promise<OfferedWorkflow[]> => db.$queryRaw<
  OfferedWorkflow[]
>`
  SELECT id, name, description, status, created_by AS "createdBy", settings ->> 'startNodeId' AS "startNodeId",
    jsonb_path_query_array(readable_json(definition), '$.nodes[*] ? (@.type == "start")') AS starts
  FROM workflow
  WHERE workspace_id = ${workspaceId} AND status = 'active' AND settings @> '{"isTool": true}'
  ORDER BY created_at, id LIMIT ${MAX_MCP_WORKFLOWS}`;

/** Characters of a schema. A larger one is not shown; the input is checked in any case. */
const MAX_TOOL_SCHEMA_LENGTH = 64 * 1024;

/** Makes the schema of the arguments from that of the start nodes. Clients need the schema of an object. */
function toolArgumentSchema({ starts, startNodeId }: OfferedWorkflow): Record<string, unknown> {
  const schemas = listInputSchemas({ nodes: starts }, startNodeId) as Record<string, unknown>[];
  const [only] = schemas;
  const schema = schemas.length > 1 ? { allOf: schemas } : (only ?? {});
  return JSON.stringify(schema).length > MAX_TOOL_SCHEMA_LENGTH ? { type: 'object' } : { ...schema, type: 'object' };
}

const listToolsOperation = defineOperation({
  id: 'workflows.tools',
  method: 'GET',
  path: '/api/tools',
  summary: 'List what can be called over MCP',
  description:
    'The active workflows with the setting `isTool` that the caller may execute, oldest first, at most 100; and the operations on ' +
    'executions that the caller may use. `/mcp` offers the same to clients of the Model Context Protocol.',
  tag: 'Workflows',
  access: memberAccess('workflow', 'read', { isFiltered: true }),
  effect: readEffect(),
  reply: jsonReply(ListWorkflowToolsResponse),
  async run({ db, caller }) {
    const rows = await readOfferedWorkflows(db, caller.workspaceId);
    const used = new Set<string>();
    // Names are given before tools are filtered, so that they do not depend on the caller.
    const named = rows.map((row) => ({ row, name: reserveToolName(toToolName(row.name, row.id), used) }));
    const data = named
      .filter(({ row }) => isActionAllowed(caller, 'execute', 'workflow', row))
      .map(({ row, name }) => ({
        name,
        title: row.name,
        description: row.description === '' ? row.name : row.description,
        workflowId: row.id,
        startNodeId: row.startNodeId,
        inputSchema: toolArgumentSchema(row),
      }));
    return {
      data: [
        ...data,
        ...(mayActOnExecutions(caller, 'read') ? [EXECUTION_READER_TOOL] : []),
        ...(mayActOnExecutions(caller, 'resume') ? [EXECUTION_DECIDER_TOOL] : []),
      ],
    };
  },
});

const mayActOnExecutions = ({ permissions }: WorkspaceCaller, action: 'read' | 'resume'): boolean =>
  permissions.some((permission) => permissionCovers(permission, 'execution', action));

function reserveToolName(name: string, used: Set<string>): string {
  let found = name;
  for (let count = 2; used.has(found); count += 1) found = `${name}_${count}`;
  used.add(found);
  return found;
}

export const workflowToolOperations = [listToolsOperation];
