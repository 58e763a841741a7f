import type { Definition, Node } from '@/contract/workflows/workflow';
import { agentBody } from './agent';
import { isDrawable } from './drawable';
import { changeNode } from './edits/edits';
import { freeId } from './edits/ids';

const newBodies = new Map<string, Definition>();

/** The default body of a loop. Its start is named after the loop: `nodes` in a loop inside another one has the items of both. */
function newBody(loop: Node | undefined, around: ReadonlySet<string>): Definition {
  const id = freeId(around, loop ? `${loop.id}_start` : 'start');
  const before = newBodies.get(id);
  if (before) return before;
  const body = { nodes: [{ id, type: 'start', position: { x: 0, y: 0 }, config: {} }], connections: [] };
  newBodies.set(id, body);
  return body;
}

/** The definition inside the loops of `path`, from the outside in. Returns the same object until it changes. */
export function bodyAt(definition: Definition, path: readonly string[]): Definition {
  const around = new Set<string>();
  return path.reduce((outer, id) => {
    for (const node of outer.nodes) around.add(node.id);
    return insideOf(
      outer.nodes.find((node) => node.id === id),
      around,
    );
  }, definition);
}

function insideOf(node: Node | undefined, around: ReadonlySet<string>): Definition {
  if (node?.type !== 'agent') return bodyOf(node?.config.body) ?? newBody(node, around);
  const before = known.get(node);
  if (before) return before;
  const body = agentBody(node);
  known.set(node, body);
  return body;
}

const known = new WeakMap<object, Definition>();

/** Not parsed, so that unchanged bodies keep their identity. */
function bodyOf(body: unknown): Definition | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const before = known.get(body);
  if (before) return before;
  if (isDrawable(body)) known.set(body, body);
  return isDrawable(body) ? body : undefined;
}

/** The definition with what is inside the loops of `path` replaced. */
export function withBody(definition: Definition, path: readonly string[], body: Definition): Definition {
  const [id, ...inner] = path;
  if (id === undefined) return body;
  const node = definition.nodes.find((candidate) => candidate.id === id);
  if (!node) return definition;
  const next = withBody(bodyAt(definition, [id]), inner, body);
  return changeNode(definition, id, { config: { ...node.config, body: next } });
}
