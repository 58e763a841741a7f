import {
  asN8nObject,
  asN8nObjects,
  MAX_N8N_NODES,
  MAX_NODE_TEXT,
  type N8nFile,
  type N8nNode,
  type N8nObject,
} from './file';
import { reachableIds } from './node-links';
import { shortNodeType } from './starts/convert-trigger';

/** As many workflows are offered as tools at most. A file with more of them stays one. */
const MAX_SERVED_TOOLS = 100;
/** The nodes and characters of all of them: parts that tools share are converted for each. */
const MAX_SERVED_NODES = 2 * MAX_N8N_NODES;
const MAX_SERVED_TEXT = 2 * MAX_NODE_TEXT;

const isServer = ({ type }: N8nObject): boolean => String(type).endsWith('.mcpTrigger');
const isNote = ({ type }: N8nObject): boolean => String(type).endsWith('.stickyNote');

/** The nodes that a node of a file is a part of, by kinds of connections. */
function listOwners(connections: N8nObject, name: string): { kind: string; owner: string }[] {
  return Object.entries(asN8nObject(connections[name])).flatMap(([kind, outputs]) =>
    kind === 'main'
      ? []
      : (Array.isArray(outputs) ? (outputs as unknown[]) : []).flatMap((targets) =>
          asN8nObjects(targets).map(({ node }) => ({ kind, owner: String(node) })),
        ),
  );
}

/** The node of a tool as a node of a workflow: `gmailTool` is `gmail`. */
function asWorkflowNode(tool: N8nObject): N8nObject {
  const type = String(tool['type']);
  if (type.endsWith('langchain.agentTool'))
    return {
      ...tool,
      type: type.slice(0, -4),
      parameters: { ...asN8nObject(tool['parameters']), promptType: 'define' },
    };
  return type.includes('langchain') ? tool : { ...tool, type: type.replace(/Tool$/, '') };
}

/** Whether the parts of tools are too many to convert them for each tool. */
function isTooLarge(all: readonly N8nObject[][]): boolean {
  const count = all.reduce((sum, parts) => sum + parts.length, 0);
  if (count > MAX_SERVED_NODES) return true;
  const sizes = new Map([...new Set(all.flat())].map((node) => [node, JSON.stringify(node).length]));
  return all.flat().reduce((sum, node) => sum + (sizes.get(node) ?? 0), 0) > MAX_SERVED_TEXT;
}

function readPosition({ position }: N8nObject): [number, number] {
  const [x, y] = Array.isArray(position) ? (position as unknown[]) : [];
  return [Number(x) || 0, Number(y) || 0];
}

/**
 * A file of n8n that offers tools over MCP as several files: one for each tool, which its server starts, and before
 * them one with all that else is there. `main`: that one; undefined: there is nothing else.
 */
export function splitServedTools(value: unknown): { main: unknown; tools: unknown[] } {
  const whole = asN8nObject(value);
  const connections = asN8nObject(whole['connections']);
  const nodes = asN8nObjects(whole['nodes']).filter(({ name }) => typeof name === 'string');
  // A file with more nodes is refused.
  if (nodes.length > MAX_N8N_NODES) return { main: value, tools: [] };
  const servers = new Map(nodes.filter(isServer).map((node) => [String(node['name']), node]));
  const owners = new Map(nodes.map(({ name }) => [String(name), listOwners(connections, String(name))]));
  const served = nodes.flatMap((tool) => {
    const link = owners.get(String(tool['name']))?.find(({ kind, owner }) => kind === 'ai_tool' && servers.has(owner));
    const server = link && servers.get(link.owner);
    return server && tool['disabled'] !== true && !isServer(tool) ? [{ tool, server }] : [];
  });
  if (served.length === 0 || served.length > MAX_SERVED_TOOLS) return { main: value, tools: [] };
  const reachesOnly = new Set(servers.keys());
  /** Whether all that a node is a part of is left out as well. */
  const leave = ({ name }: N8nObject): boolean => {
    const own = owners.get(String(name)) ?? [];
    return own.length > 0 && own.every(({ owner }) => reachesOnly.has(owner));
  };
  // Each pass finds the parts of the nodes that the one before found.
  for (let left = nodes.filter(leave); left.length > 0;) {
    for (const { name } of left) reachesOnly.add(String(name));
    left = nodes.filter((node) => !reachesOnly.has(String(node['name'])) && leave(node));
  }
  const others = nodes.filter((node) => !reachesOnly.has(String(node['name'])));
  const hasMain = others.some((node) => !isNote(node));
  const about = { ...whole, pinData: undefined };
  const partNames = new Map<string, Set<string>>();
  for (const [name, own] of owners)
    for (const { owner } of own) partNames.set(owner, (partNames.get(owner) ?? new Set()).add(name));
  const withParts = served.map(({ tool, server }) => {
    const name = String(tool['name']);
    const found = reachableIds([name], (owner) => partNames.get(owner) ?? []);
    return {
      tool,
      server,
      name,
      parts: nodes.filter((node) => node['name'] !== name && found.has(String(node['name']))),
    };
  });
  if (isTooLarge(withParts.map(({ parts }) => parts))) return { main: value, tools: [] };
  const tools = withParts.map(({ tool, server, name, parts }, index): N8nObject => {
    const [x, y] = readPosition(tool);
    const { name: given } = asN8nObject(tool['parameters']);
    return {
      ...about,
      name: typeof given === 'string' && given.trim() !== '' && !given.startsWith('=') ? given : name,
      nodes: [
        { ...server, position: [x - 300, y] },
        asWorkflowNode(tool),
        ...parts,
        ...(index === 0 && !hasMain ? others : []),
      ],
      connections: {
        ...Object.fromEntries(parts.map(({ name: part }) => [String(part), connections[String(part)]])),
        [String(server['name'])]: { main: [[{ node: name, type: 'main', index: 0 }]] },
      },
    };
  });
  const main = hasMain
    ? { ...whole, nodes: asN8nObjects(whole['nodes']).filter(({ name }) => !reachesOnly.has(String(name))) }
    : undefined;
  return { main, tools };
}

/** The tool that a server of MCP starts; undefined: it starts none. */
export function findServedTool({ nodes, links }: N8nFile, { name, type }: N8nNode): N8nNode | undefined {
  const link = shortNodeType(type) === 'mcpTrigger' ? links.find(({ from }) => from === name) : undefined;
  return link && nodes.find((node) => node.name === link.to);
}
