import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { OWN_WORKFLOW, type CalledWorkflows } from '../called-workflows';
import { NodeConversion, type ConversionContext } from '../conversion';
import { asN8nObject, cutWellFormed, type N8nFile, type N8nNode } from '../file';
import { createIdMaker } from '../ids';
import { findLoopBodies, isLoopNode } from './rounds/loops';
import { sortWithoutCycles, type NodeLink } from '../node-links';
import type { ConversionResult } from '../report/report-entry';
import { describeMissingNode } from '../nodes';
import { describeToolArguments } from '../nodes/ai/tools';
import { findServedTool } from '../served-tools';
import { shortNodeType } from '../starts/convert-trigger';
import type { ConvertedTrigger, ImportedTrigger } from '../starts/trigger';
import { ArrivalMap, readRootArrivals, isRunOnce, leadsBackSeveralTimes, type ItemArrival } from './arrivals/arrivals';
import { separateCards } from './card-places';
import { convertCircle, linkAroundCircles, listCircleExits } from './rounds/circle-loop';
import { findCircles, type NodeCircle } from './rounds/circles';
import { findItemConverter } from './converters';
import { hasLongExpression, ItemConversion, type ItemLevel, type ItemNodes } from './item-conversion';
import { convertLoopOverItems, convertLoopWithoutBody } from './rounds/item-loop';
import { nameApart } from './node-names';
import { listHiddenNameTasks, listRunTasks } from './arrivals/run-tasks';
import { orderSources } from './source-order';
import { convertStart, createPlainStart } from './start-nodes';
import { connectPieces } from './connect-pieces';
import { createConversionContext } from './conversion-context';

export type TriggerNode = ConvertedTrigger & { node: N8nNode };

/** Loops may have so many loops around them. */
const MAX_LOOP_DEPTH = 8;
/** How many nodes may be created. It leaves a margin below the limit of a workflow. */
const MAX_CREATED_NODES = 1900;
const LONE_TOOL = 'Weft offers whole workflows as tools: put it into one of its own, and switch on its setting.';

/** Builds a definition whose nodes work on lists of items, with expressions as they were written. */
export class ItemBuilder {
  readonly createId = createIdMaker();
  private readonly nodes = new Map<string, N8nNode>();
  private readonly ids = new Map<string, string>();
  private readonly links: NodeLink[];
  private readonly results = new Map<string, ConversionResult>();
  private readonly parts: ConversionContext;
  private loopDepth = 0;
  /** Nodes that may still be created beside one for each that is left. */
  private room: number;

  constructor(
    private readonly file: N8nFile,
    private readonly triggers: readonly TriggerNode[],
    workflows: CalledWorkflows = new Map(),
  ) {
    const known = new Map(workflows);
    this.parts = createConversionContext(file, known, this.results);
    // A trigger starts runs, also in a file that attaches it to another node as a part.
    const starts = new Set(triggers.map(({ node }) => node.name));
    for (const node of file.nodes) {
      if (shortNodeType(node.type) === 'stickyNote') continue;
      const owner = starts.has(node.name) ? undefined : file.parts.get(node.name);
      if (owner !== undefined) {
        const message = starts.has(owner) ? LONE_TOOL : `It is a part of “${cutWellFormed(owner, 60)}”.`;
        this.results.set(node.name, { outcome: 'left out', message, knowledge: [] });
        continue;
      }
      const id = this.createId(node.name);
      this.ids.set(node.name, id);
      this.nodes.set(id, node);
    }
    const { workflowId, startNodeId = null } = workflows.get(OWN_WORKFLOW) ?? {};
    const own = { workflowId, startNodeId: this.findOwnStart('executeWorkflowTrigger') ?? startNodeId };
    for (const id of [OWN_WORKFLOW, file.id ?? OWN_WORKFLOW]) known.set(id, own);
    this.room = MAX_CREATED_NODES - 2 * triggers.length - this.nodes.size;
    this.links = file.links.flatMap(({ from, output, to, input }): NodeLink[] => {
      const [source, target] = [this.ids.get(from), this.ids.get(to)];
      // A node that is switched off passes on what comes in at its first input, by its first output.
      const isPassed = !(input > 0 && this.isDisabled(target)) && !(output > 0 && this.isDisabled(source));
      return source && target && isPassed ? [{ from: source, output, to: target, input }] : [];
    });
  }

  private isDisabled(id: string | undefined): boolean {
    return id !== undefined && this.nodes.get(id)?.isDisabled === true;
  }

  /** The status of the conversion of a node that is no trigger, and its remarks. */
  conversionResult(name: string): ConversionResult {
    return this.results.get(name) ?? { outcome: 'left out', message: '', knowledge: [] };
  }

  buildDefinition(): WorkflowDefinition {
    const open = new Set<string>();
    const given = new Map(
      this.triggers.map((trigger): [string, ItemNodes] => {
        const id = this.ids.get(trigger.node.name) ?? '';
        const tool = findServedTool(this.file, trigger.node);
        const asked = tool && describeToolArguments(new NodeConversion(tool, 'tool', this.parts));
        if (asked?.hasOthers) open.add(this.ids.get(tool?.name ?? '') ?? '');
        return [id, convertStart(trigger.node, trigger, { id, createId: this.createId }, asked?.schema)];
      }),
    );
    const links = given.size > 0 ? this.links : this.startPlainly(given);
    const roots = readRootArrivals(given.keys(), this.nodes);
    const definition = this.buildLevel({ ids: [...this.nodes.keys()], links, given, roots });
    for (const id of open) this.addTask(id, 'Name its arguments: a name in $fromAI is computed, or has other signs.');
    return { ...definition, language: 'javascript', prelude: 'n8n' };
  }

  /** A workflow without triggers begins at all nodes that nothing leads to. */
  private startPlainly(given: Map<string, ItemNodes>): NodeLink[] {
    const start = this.createId('start');
    given.set(start, createPlainStart(start, this.nodes.values()));
    const targets = new Set(this.links.map(({ to }) => to));
    const first = [...this.nodes.keys()].filter((id) => !targets.has(id));
    return [...first.map((to) => ({ from: start, output: 0, to, input: 0 })), ...this.links];
  }

  /** The start node of a trigger of this type, where there are several; null: there is no other, or none. */
  findOwnStart(type: string): string | null {
    const found = this.triggers.find(({ node }) => shortNodeType(node.type) === type);
    return found && this.triggers.length > 1 ? (this.ids.get(found.node.name) ?? null) : null;
  }

  /** The triggers with the nodes that their runs start at, where there are several. */
  placeTriggers(): ImportedTrigger[] {
    const several = this.triggers.length > 1;
    return this.triggers.flatMap(({ node, triggers }) =>
      triggers.map((one): ImportedTrigger => {
        if (!several) return one;
        const startNodeId = this.ids.get(node.name);
        return { ...one, settings: { ...one.settings, startNodeId } } as ImportedTrigger;
      }),
    );
  }

  /** Converts the nodes of a level. */
  buildLevel({ ids, links, given, roots }: ItemLevel): WorkflowDefinition {
    const isDeep = this.loopDepth >= MAX_LOOP_DEPTH;
    const loops = isDeep ? new Map<string, Set<string>>() : findLoopBodies(ids, links, this.nodes);
    // A loop that nothing leads back to has one round.
    const bodies = new Map(
      [...loops].filter(([id, body]) => links.some(({ from, to }) => to === id && body.has(from))),
    );
    const hidden = new Set([...bodies.values()].flatMap((body) => [...body]));
    const isOpen = (id: string) => !hidden.has(id) && given.get(id)?.entries.length !== 0;
    const open = links.filter(({ from, to }) => !hidden.has(from) && isOpen(to) && !(bodies.has(to) && from === to));
    const outer = [...new Set([...given.keys(), ...ids])].filter((id) => !hidden.has(id));
    const circles = isDeep ? [] : this.admitCircles(findCircles(outer, open));
    const around = linkAroundCircles(open, circles);
    const circleAt = new Map(circles.map((one) => [one.first, one]));
    const inCircles = new Set(circles.flatMap(({ ids: own }) => [...own]));
    const shown = outer.filter((id) => circleAt.has(id) || !inCircles.has(id));
    const { order, kept, cut } = sortWithoutCycles(shown, around);
    const arrivals = new ArrivalMap({ order, links: kept, nodes: this.nodes, roots, circles });
    const pieces = new Map<string, ItemNodes>();
    for (const id of order) {
      const circle = circleAt.get(id);
      const made = circle
        ? this.convertCircle(circle, arrivals.arrivalAt(id), bodies, links)
        : (given.get(id) ?? this.convertOne(id, bodies.get(id), links));
      if (made) pieces.set(id, made);
    }
    for (const { from, to } of cut) this.addTask(from, describeCutLink(this.nodes.get(to)));
    const single = shown.filter((id) => !circleAt.has(id));
    for (const { id, task } of listRunTasks(single, kept, this.nodes, arrivals)) this.addTask(id, task);
    const read = new Set(circles.flatMap(({ exits }) => exits.map(({ from }) => from)));
    const inner = [...hidden, ...outer.filter((id) => inCircles.has(id) && !circleAt.has(id) && !read.has(id))];
    for (const { id, task } of listHiddenNameTasks(single, inner, this.nodes)) this.addTask(id, task);
    const made = nameApart([...pieces.values()].flatMap((one) => one.nodes));
    const nodes = separateCards(made, (id) => this.nodes.has(id));
    return { nodes, connections: connectPieces(pieces, orderSources(kept, this.nodes)) };
  }

  private convertOne(
    id: string,
    body: ReadonlySet<string> | undefined,
    links: readonly NodeLink[],
  ): ItemNodes | undefined {
    const node = this.nodes.get(id);
    if (!node) return undefined;
    const conversion = new ItemConversion(node, id, this.createId, this.parts);
    const isLoop = isLoopNode(node);
    const convert = findItemConverter(node.type);
    const made = isLoop
      ? this.convertLoop(conversion, body, links)
      : (convert?.(conversion) ?? conversion.placeholder(describeMissingNode(node.type)));
    const hasRoom = this.room - made.nodes.length + 1 >= 0;
    const fitting = !hasRoom
      ? conversion.placeholder('The workflow has too many nodes: divide it into several.')
      : hasLongExpression(made)
        ? conversion.placeholder('Its texts are too long for an expression: keep them in a file or a variable.')
        : made;
    if (fitting !== made && body) this.leaveOut(body, node.name);
    this.room -= fitting.nodes.length - 1;
    const { outcome, remarks } = conversion;
    const { message, knowledge, choices } = remarks;
    this.results.set(node.name, { outcome, message, knowledge, choices });
    return fitting;
  }

  private convertLoop(
    conversion: ItemConversion,
    body: ReadonlySet<string> | undefined,
    links: readonly NodeLink[],
  ): ItemNodes {
    if (!body) return convertLoopWithoutBody(conversion);
    const { reset } = asN8nObject(conversion.node.parameters['options']);
    if (reset === true) conversion.addTodo('Check its rounds: n8n would begin again after each of them.');
    const isReset = typeof reset === 'string' && reset.includes('$prevNode');
    if (this.loopDepth > 0 && !isReset)
      conversion.addTodo('Check its items: n8n runs an inner loop without “reset” for the first outer round alone.');
    return this.deeper(() =>
      convertLoopOverItems(conversion, {
        body,
        links,
        nodes: this.nodes,
        buildLevel: (level) => this.buildLevel(level),
      }),
    );
  }

  /** The nodes inside of a loop that is no part of the workflow. */
  private leaveOut(ids: Iterable<string>, loop: string): void {
    const message = `It is inside of the loop “${cutWellFormed(loop, 60)}”, for which the workflow has no room.`;
    for (const id of ids) {
      const node = this.nodes.get(id);
      if (node) this.results.set(node.name, { outcome: 'left out', message, knowledge: [] });
    }
  }

  /** The circles that the workflow has room for. The links back of others are cut. */
  private admitCircles(circles: readonly NodeCircle[]): NodeCircle[] {
    return circles.filter((circle) => {
      const count = 4 + 2 * listCircleExits(circle).length;
      if (count > this.room) return false;
      this.room -= count;
      return true;
    });
  }

  /** The nodes of a circle as one, with the bodies of their loops. */
  private convertCircle(
    circle: NodeCircle,
    arrival: ItemArrival,
    bodies: ReadonlyMap<string, ReadonlySet<string>>,
    links: readonly NodeLink[],
  ): ItemNodes | undefined {
    const node = this.nodes.get(circle.first);
    if (!node) return undefined;
    const conversion = new ItemConversion(node, circle.first, this.createId, this.parts);
    const ids = new Set([...circle.ids].flatMap((id) => [id, ...(bodies.get(id) ?? [])]));
    const isSeveral = arrival === 'lists' || leadsBackSeveralTimes(circle, this.nodes, arrival);
    const made = this.deeper(() =>
      convertCircle(conversion, {
        circle: { ...circle, ids },
        links,
        nodes: this.nodes,
        arrival: isRunOnce(circle, this.nodes, arrival) ? 'one' : isSeveral ? 'lists' : 'list',
        buildLevel: (level) => this.buildLevel(level),
      }),
    );
    this.addConversionRemarks(circle.first, conversion);
    return made;
  }

  private deeper<Made>(convert: () => Made): Made {
    this.loopDepth += 1;
    const made = convert();
    this.loopDepth -= 1;
    return made;
  }

  /** Adds what the conversion of a circle says to the entry of its first node. */
  private addConversionRemarks(id: string, { outcome, remarks }: ItemConversion): void {
    const name = this.nodes.get(id)?.name ?? '';
    const found = this.results.get(name);
    if (!found) return;
    this.results.set(name, {
      outcome: found.outcome === 'converted' ? outcome : found.outcome,
      message: [found.message, remarks.message].filter(Boolean).join(' '),
      knowledge: [...found.knowledge, ...remarks.knowledge],
    });
  }

  /** Adds a task to the entry of a node that was converted. */
  private addTask(id: string, sentence: string): void {
    const name = this.nodes.get(id)?.name;
    if (name === undefined) return;
    const found: ConversionResult = this.results.get(name) ?? { outcome: 'converted', message: '', knowledge: [] };
    const { outcome, message } = found;
    this.results.set(name, {
      ...found,
      outcome: outcome === 'converted' ? 'partly' : outcome,
      message: message.includes(sentence) ? message : [message, sentence].filter(Boolean).join(' '),
    });
  }
}

const describeCutLink = (to: N8nNode | undefined): string =>
  `Its connection back to “${cutWellFormed(to?.name ?? '', 60)}” is left out: use the node repeat.`;
