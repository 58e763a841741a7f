import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { agentStepDefinition } from './agent';
import { isDrawableDefinition } from './drawable';
import { changeNodeFields } from './edits/edits';
import { readableNodeId } from './edits/ids';

const newLoopBodies = new Map<string, WorkflowDefinition>();

/**
 * The default body of a loop. Its start is named after the loop: `nodes` in a loop inside another one has the items of
 * both.
 */
function createLoopBody(loop: WorkflowNode | undefined, around: ReadonlySet<string>): WorkflowDefinition {
  const id = readableNodeId(around, loop ? `${loop.id}_start` : 'start');
  const before = newLoopBodies.get(id);
  if (before) return before;
  const body = { nodes: [{ id, type: 'start', position: { x: 0, y: 0 }, config: {} }], connections: [] };
  newLoopBodies.set(id, body);
  return body;
}

/** The definition inside the loops of `path`, from the outside in. Returns the same object until it changes. */
export function definitionAtPath(definition: WorkflowDefinition, path: readonly string[]): WorkflowDefinition {
  const around = new Set<string>();
  return path.reduce((outer, id) => {
    for (const node of outer.nodes) around.add(node.id);
    return innerDefinition(
      outer.nodes.find((node) => node.id === id),
      around,
    );
  }, definition);
}

function innerDefinition(node: WorkflowNode | undefined, around: ReadonlySet<string>): WorkflowDefinition {
  if (node?.type !== 'agent') return readLoopBody(node?.config.body) ?? createLoopBody(node, around);
  const before = cachedBodies.get(node);
  if (before) return before;
  const body = agentStepDefinition(node);
  cachedBodies.set(node, body);
  return body;
}

const cachedBodies = new WeakMap<object, WorkflowDefinition>();

/** The body is checked but not parsed, so that an unchanged body keeps its identity. */
function readLoopBody(body: unknown): WorkflowDefinition | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const before = cachedBodies.get(body);
  if (before) return before;
  if (isDrawableDefinition(body)) cachedBodies.set(body, body);
  return isDrawableDefinition(body) ? body : undefined;
}

/** The definition with what is inside the loops of `path` replaced. */
export function replaceBodyAtPath(
  definition: WorkflowDefinition,
  path: readonly string[],
  body: WorkflowDefinition,
): WorkflowDefinition {
  const [id, ...inner] = path;
  if (id === undefined) return body;
  const node = definition.nodes.find((candidate) => candidate.id === id);
  if (!node) return definition;
  const next = replaceBodyAtPath(definitionAtPath(definition, [id]), inner, body);
  return changeNodeFields(definition, id, { config: { ...node.config, body: next } });
}
