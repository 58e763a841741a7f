import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { buildWorkflow, call, unique, type Refused, type TestUser } from './factories';
import { flow, type Sketch } from './flow';
import { startRun } from './runs';

/** A workflow of a start and this node. */
export const oneNode = (node: Sketch): WorkflowDefinition => flow({ in: { type: 'start' }, node }, ['in>node']);

/** Starts a node in the workspace of a user. */
export async function startNode({ workspaceId }: TestUser, node: Sketch, input: object = {}) {
  return startRun({ workspaceId, workflowId: await buildWorkflow({ workspaceId, definition: oneNode(node) }) }, input);
}

/** Runs a node to its end. `text`: the whole run, in which no secret may be. */
export async function runNode(user: TestUser, node: Sketch, input: object = {}) {
  const execution = await (await startNode(user, node, input)).finish();
  const { status, error, output } = execution;
  return { status, output, code: error?.code, message: error?.message, text: JSON.stringify(execution) };
}

/** Saves a node as a user does. */
export const saveNode = ({ token }: TestUser, node: Sketch, status = 'draft') =>
  call<Refused>('POST', '/api/workflows', {
    token,
    body: { name: unique('workflow'), status, definition: oneNode(node) },
  });
