import type { Definition, Node } from '@/contract/workflows/workflow';
import { agentBody } from './agent';
import { isDrawable } from './drawable';
import { changeNode } from './edits/edits';

/** The default body of a loop. */
const NEW_BODY: Definition = {
  nodes: [{ id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} }],
  connections: [],
};

/** The definition inside the loops of `path`, from the outside in. Returns the same object until it changes. */
export const bodyAt = (definition: Definition, path: readonly string[]): Definition =>
  path.reduce((outer, id) => insideOf(outer.nodes.find((node) => node.id === id)), definition);

function insideOf(node: Node | undefined): Definition {
  if (node?.type !== 'agent') return bodyOf(node?.config.body);
  const before = known.get(node);
  if (before) return before;
  const body = agentBody(node);
  known.set(node, body);
  return body;
}

const known = new WeakMap<object, Definition>();

function bodyOf(body: unknown): Definition {
  if (typeof body !== 'object' || body === null) return NEW_BODY;
  const before = known.get(body);
  if (before) return before;
  // Not parsed, so that unchanged bodies keep their identity.
  const definition = isDrawable(body) ? body : NEW_BODY;
  known.set(body, definition);
  return definition;
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
