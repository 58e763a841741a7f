import type { Connection, Definition, Node, Note } from '@/contract/workflows/workflow';
import type { N8nFile, N8nNode } from './n8n-file';
import { convertNode, isTrigger, shortType, type Converted } from './nodes';

/** What became of a file of n8n. */
export interface Imported {
  definition: Definition;
  /** What has to be looked at, a sentence each. */
  report: string[];
}

/** n8n's nodes are closer to each other. */
const SCALE = { x: 1.6, y: 1.3 };
const START = 'start';

/** A connection of n8n by the ids of its nodes; `output` counts the outputs of the source from 0. */
interface Link {
  from: string;
  output: number;
  to: string;
}

/**
 * The workflow of a file of n8n. All its triggers become one start; a loop over items becomes a `for_each` with the nodes of the loop
 * inside. Nodes without a counterpart pass their input on. The report is also a note on the canvas.
 */
export function convertN8n(file: N8nFile): Imported {
  const steps = file.nodes.filter((node) => shortType(node) !== 'stickyNote');
  const names = idsOf(steps);
  const converted = new Map(
    steps
      .filter((node) => !isTrigger(node))
      .map((node) => [names.get(node.name) ?? '', { node, ...convertNode(node, names) }]),
  );
  const loops = new Loops(converted, linksOf(file, names), names);
  const definition = loops.outermost(startPlace(steps));
  const report = [
    ...steps
      .filter(isTrigger)
      .map(({ name, type }) => `**${name}** (${shortType({ type } as N8nNode)}): add it under *Triggers*.`),
    ...[...converted.values()].flatMap(({ node, remarks }) => remarks.map((remark) => `**${node.name}**: ${remark}.`)),
    ...loops.lost.map((name) => `**${name}**: a connection leads back to it, which is not possible; use *Repeat*.`),
  ];
  const notes = [...stickyNotes(file), ...reportNote(report, definition.nodes)];
  return { definition: { ...definition, ...(notes.length > 0 ? { notes } : {}) }, report };
}

/** Ids by the names of nodes: short words, each once. Triggers share that of the start. */
function idsOf(nodes: readonly N8nNode[]): Map<string, string> {
  const used = new Set([START]);
  const ids = new Map<string, string>();
  for (const node of nodes) {
    if (isTrigger(node)) {
      ids.set(node.name, START);
      continue;
    }
    const base =
      node.name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '_')
        .replace(/^_|_$/g, '')
        .slice(0, 60) || 'node';
    let id = /^\d/.test(base) ? `n_${base}` : base;
    for (let count = 2; used.has(id); count += 1) id = `${base}_${count}`;
    used.add(id);
    ids.set(node.name, id);
  }
  return ids;
}

/** The connections for data; those of tools and models are left out. */
function linksOf({ connections }: N8nFile, names: ReadonlyMap<string, string>): Link[] {
  return Object.entries(connections).flatMap(([source, { main = [] }]) =>
    main.flatMap((targets, output) =>
      (targets ?? []).flatMap(({ node }) => {
        const [from, to] = [names.get(source), names.get(node)];
        return from && to && to !== START ? [{ from, output, to }] : [];
      }),
    ),
  );
}

const placeOf = ({ position: [x, y] = [0, 0] }: N8nNode) => ({
  x: Math.round(x * SCALE.x),
  y: Math.round(y * SCALE.y),
});

function startPlace(nodes: readonly N8nNode[]): Node['position'] {
  const first = nodes.find(isTrigger);
  if (first) return placeOf(first);
  const places = nodes.map(placeOf);
  return { x: Math.min(...places.map(({ x }) => x)) - 320, y: places[0]?.y ?? 0 };
}

type Step = Converted & { node: N8nNode };

/** Puts the nodes of n8n's loops, whose last connection leads back, inside the node of the loop. */
class Loops {
  /** Names of nodes to which a connection led back that is no loop over items. */
  readonly lost: string[] = [];

  constructor(
    private readonly steps: ReadonlyMap<string, Step>,
    private readonly links: readonly Link[],
    private readonly names: ReadonlyMap<string, string>,
  ) {}

  outermost(start: Node['position']): Definition {
    const ids = new Set(this.steps.keys());
    return this.definition(ids, this.links, start);
  }

  /** The definition with these nodes, a start before them, and the links among them; links from the start have its id. */
  private definition(ids: ReadonlySet<string>, links: readonly Link[], start: Node['position']): Definition {
    const inside = new Map<string, Set<string>>();
    for (const id of ids) if (this.isLoop(id)) inside.set(id, this.bodyOf(id, ids, links));
    const hidden = new Set([...inside.values()].flatMap((body) => [...body]));
    const shown = [...ids].filter((id) => !hidden.has(id));
    const own = links.filter(({ from, to }) => !hidden.has(from) && !hidden.has(to));
    const nodes = shown.map((id) => this.node(id, inside.get(id), links));
    const connections = this.acyclic(own.filter((link) => !this.isLoop(link.from) || link.output === 0));
    return {
      nodes: [{ id: START, type: 'start', position: start, config: {} }, ...nodes],
      connections: connections.map((link) => this.connection(link)),
    };
  }

  private isLoop = (id: string) => this.steps.get(id)?.type === 'for_each';

  /** The nodes on the ways from the second output of a loop back to it. */
  private bodyOf(loop: string, ids: ReadonlySet<string>, links: readonly Link[]): Set<string> {
    const reach = (from: string[], next: (link: Link, id: string) => string | undefined) => {
      const found = new Set<string>();
      for (const id of from) found.add(id);
      for (const id of found) {
        for (const link of links) {
          const other = next(link, id);
          if (other && other !== loop && ids.has(other)) found.add(other);
        }
      }
      return found;
    };
    const first = links
      .filter(({ from, output, to }) => from === loop && output === 1 && to !== loop)
      .map(({ to }) => to);
    const forward = reach(first, ({ from, to }, id) => (from === id ? to : undefined));
    const last = links.filter(({ from, to }) => to === loop && forward.has(from)).map(({ from }) => from);
    const backward = reach(last, ({ from, to }, id) => (to === id ? from : undefined));
    return new Set([...forward].filter((id) => backward.has(id) || last.length === 0));
  }

  private node(id: string, body: Set<string> | undefined, links: readonly Link[]): Node {
    const step = this.steps.get(id);
    if (!step) throw new Error(`There is no node ${id}.`);
    const { node, type, config } = step;
    const { retryOnFail, maxTries = 3, waitBetweenTries = 1000, disabled, notes } = node;
    const inner =
      body && this.definition(body, this.innerLinks(id, body, links), { x: placeOf(node).x, y: placeOf(node).y });
    return {
      id,
      type,
      name: node.name.slice(0, 200),
      position: placeOf(node),
      config: { ...config, ...(type === 'merge' ? this.sides(id) : {}), ...(inner ? { body: inner } : {}) },
      ...(disabled ? { disabled } : {}),
      ...(notes ? { notes: notes.slice(0, 10_000) } : {}),
      ...(retryOnFail
        ? {
            retry: { maxAttempts: Math.min(Math.max(maxTries, 1), 20), backoffMs: Math.min(waitBetweenTries, 300_000) },
          }
        : {}),
    };
  }

  /** Links inside a loop: those from its second output begin at the start, those back to it end. */
  private innerLinks(loop: string, body: ReadonlySet<string>, links: readonly Link[]): Link[] {
    return links.flatMap((link) => {
      if (!body.has(link.to)) return [];
      if (link.from === loop) return link.output === 1 ? [{ ...link, from: START, output: 0 }] : [];
      return body.has(link.from) ? [link] : [];
    });
  }

  /** The lists that a merge joins: the outputs of the nodes before it. */
  private sides(id: string): Record<string, string> {
    const [left, right] = this.links
      .filter(({ to }) => to === id)
      .map(({ from }) => (from === START ? 'execution.input' : `nodes.${from}`));
    return { ...(left ? { left } : {}), ...(right ? { right } : {}) };
  }

  /** Without the links that close a circle. */
  private acyclic(links: readonly Link[]): Link[] {
    const kept: Link[] = [];
    for (const link of links) {
      if (link.to === link.from || this.reaches(kept, link.to, link.from)) this.lost.push(this.nameOf(link.to));
      else kept.push(link);
    }
    return kept;
  }

  private reaches(links: readonly Link[], from: string, to: string): boolean {
    const found = new Set([from]);
    for (const id of found) for (const link of links) if (link.from === id) found.add(link.to);
    return found.has(to);
  }

  private nameOf = (id: string) => [...this.names].find(([, known]) => known === id)?.[0] ?? id;

  private connection({ from, output, to }: Link): Connection {
    const ports = this.steps.get(from)?.ports ?? ['output'];
    // Beyond the outputs of the node is n8n's output for failures.
    return { sourceNode: from, sourcePort: ports[output] ?? 'error', targetNode: to, targetPort: 'input' };
  }
}

const stickyNotes = ({ nodes }: N8nFile): Note[] =>
  nodes
    .filter((node) => shortType(node) === 'stickyNote')
    .map((node, index) => ({
      id: `note-${index + 1}`,
      position: placeOf(node),
      size: {
        width: sideOf(node.parameters.width, 240) * SCALE.x,
        height: sideOf(node.parameters.height, 160) * SCALE.y,
      },
      text: String(node.parameters.content ?? '').slice(0, 10_000),
      color: 'gray',
    }));

const sideOf = (value: unknown, otherwise: number) =>
  typeof value === 'number' && value >= 50 && value <= 5000 ? value : otherwise;

const MOST = 40;

/** The report, above the nodes. */
function reportNote(report: readonly string[], nodes: readonly Node[]): Note[] {
  if (report.length === 0) return [];
  const shown = report.slice(0, MOST).map((line) => `- ${line}`);
  const rest = report.length > MOST ? [`- and ${report.length - MOST} more`] : [];
  const height = Math.min(100 + report.length * 34, 900);
  const x = Math.min(...nodes.map(({ position }) => position.x));
  const y = Math.min(...nodes.map(({ position }) => position.y)) - height - 80;
  const text = ['**Imported from n8n: review these items**', ...shown, ...rest].join('\n').slice(0, 10_000);
  return [{ id: 'imported-from-n8n', position: { x, y }, size: { width: 640, height }, text, color: 'yellow' }];
}
