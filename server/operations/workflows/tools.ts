import {
  GET_EXECUTION,
  RESUME_EXECUTION,
  WorkflowToolList,
  type WorkflowTool,
} from '@/contract/workflows/workflow-tool';
import type { Node } from '@/contract/workflows/workflow';
import type { Caller } from '@/server/access/caller';
import { can, covers } from '@/server/access/conditions';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonReply, readEffect } from '@/server/api/operation-parts';
import type { Db } from '@/server/db/client';
import { inputSchemas } from '@/server/nodes/flow/start';

export const MAX_MCP_WORKFLOWS = 100;
const MAX_NAME = 60;

const text = (description: string) => ({ type: 'string', description });

const READ: WorkflowTool = {
  name: GET_EXECUTION,
  title: 'Read an execution',
  description: 'The state of an execution, its output once it has ended, and the approvals for which it waits.',
  workflowId: null,
  inputSchema: {
    type: 'object',
    properties: {
      executionId: text('Id of the execution'),
      waitSeconds: { type: 'integer', minimum: 0, maximum: 50, description: 'Waits so long for its end' },
    },
    required: ['executionId'],
    additionalProperties: false,
  },
};

const RESUME: WorkflowTool = {
  name: RESUME_EXECUTION,
  title: 'Decide an approval',
  description: 'Decides an approval for which an execution waits, as the user of the API key.',
  workflowId: null,
  inputSchema: {
    type: 'object',
    properties: {
      executionId: text('Id of the execution'),
      nodeId: text('Id of the approval'),
      decision: { type: 'string', enum: ['approved', 'rejected'] },
      comment: text('Shown with the decision'),
      data: { type: 'object', description: 'Values of the fields that the approval asks for' },
    },
    required: ['executionId', 'nodeId', 'decision'],
    additionalProperties: false,
  },
};

/** A name that clients of MCP take. */
const slugOf = (name: string, id: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, MAX_NAME)
    .toLowerCase() ||
  `workflow_${id
    .slice(-8)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')}`;

interface Offered {
  id: string;
  name: string;
  description: string;
  status: string;
  createdBy: string | null;
  starts: Node[];
}

/** The workflows that are tools, with their start nodes: whole definitions would be large together. */
const offeredIn = (db: Db, workspaceId: string): Promise<Offered[]> => db.$queryRaw<Offered[]>`
  SELECT id, name, description, status, created_by AS "createdBy",
    jsonb_path_query_array(readable_json(definition), '$.nodes[*] ? (@.type == "start")') AS starts
  FROM workflow
  WHERE workspace_id = ${workspaceId} AND status = 'active' AND settings @> '{"isTool": true}'
  ORDER BY created_at, id LIMIT ${MAX_MCP_WORKFLOWS}`;

/** Characters of a schema. A larger one is not shown; the input is checked in any case. */
const MAX_SCHEMA = 64 * 1024;

/** The schema of the arguments: that of the start. Clients need one of an object. */
function argumentSchema(starts: Node[]): Record<string, unknown> {
  const schemas = inputSchemas({ nodes: starts, connections: [] }) as Record<string, unknown>[];
  const [only] = schemas;
  const schema = schemas.length > 1 ? { allOf: schemas } : (only ?? {});
  return JSON.stringify(schema).length > MAX_SCHEMA ? { type: 'object' } : { ...schema, type: 'object' };
}

const list = operation({
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
  reply: jsonReply(WorkflowToolList),
  async run({ db, caller }) {
    const rows = await offeredIn(db, caller.workspaceId);
    const used = new Set<string>();
    // Names are given before tools are left out: they do not depend on who asks.
    const named = rows.map((row) => ({ row, name: unused(slugOf(row.name, row.id), used) }));
    const data = named
      .filter(({ row }) => can(caller, 'execute', 'workflow', row))
      .map(({ row, name }) => ({
        name,
        title: row.name,
        description: row.description === '' ? row.name : row.description,
        workflowId: row.id,
        inputSchema: argumentSchema(row.starts),
      }));
    return { data: [...data, ...(holds(caller, 'read') ? [READ] : []), ...(holds(caller, 'resume') ? [RESUME] : [])] };
  },
});

const holds = ({ permissions }: Caller, action: 'read' | 'resume'): boolean =>
  permissions.some((permission) => covers(permission, 'execution', action));

function unused(name: string, used: Set<string>): string {
  let found = name;
  for (let count = 2; used.has(found); count += 1) found = `${name}_${count}`;
  used.add(found);
  return found;
}

export const workflowTools = [list];
