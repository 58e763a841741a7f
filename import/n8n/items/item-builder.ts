import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { OWN_WORKFLOW, type CalledWorkflows } from '../called-workflows';
import { NodeConversion, type ConversionContext } from '../conversion';
import { cutWellFormed, type N8nFile, type N8nNode } from '../file';
import { createIdMaker } from '../ids';
import { findLoopBodies, isLoopNode } from './rounds/loops';
import { linkNodeIds, sortWithoutCycles, type NodeLink } from '../node-links';
import type { ConversionResult } from '../report/report-entry';
import { ConversionResults } from './conversion-results';
import { describeMissingNode } from '../nodes';
import { describeToolArguments } from '../nodes/ai/tools';
import { findServedTool } from '../served-tools';
import { shortNodeType } from '../starts/convert-trigger';
import type { ConvertedTrigger, ImportedTrigger } from '../starts/trigger';
import { ArrivalMap, findRoundArrival, readRootArrivals, type ItemArrival } from './arrivals/arrivals';
import { separateCards } from './card-places';
import { convertCircle, linkAroundCircles, listCircleExits } from './rounds/circle-loop';
import { describeCutLink, findCircles, type NodeCircle } from './rounds/circles';
import { findItemConverter } from './converters';
import { hasLongExpression, ItemConversion, type ItemLevel, type ItemNodes } from './item-conversion';
import { convertLoopOverItems, convertLoopWithoutBody, reportLoopState } from './rounds/item-loop';
import { nameApart } from './node-names';
import { listHiddenNameTasks, listRunTasks } from './arrivals/run-tasks';
import {
  convertSeveralRuns,
  describeSeveralRuns,
  findSeveralRuns,
  linkToRuns,
  type SeveralRuns,
} from './rounds/several-runs';
import { givesLastResult } from './last-nodes';
import { orderSources } from './source-order';
import { convertStart, createPlainStart, linkPlainStart } from './start-nodes';
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
  private readonly results = new ConversionResults();
  private readonly parts: ConversionContext;
  private loopDepth = 0;
  /** Whether nodes may be repeated for several runs: what runs give to their callers would be another list. */
  private readonly isRepeatable: boolean;
  /** Nodes that may still be created beside one for each that is left. */
  private room: number;

  constructor(
    private readonly file: N8nFile,
    private readonly triggers: readonly TriggerNode[],
    workflows: CalledWorkflows = new Map(),
  ) {
    const known = new Map(workflows);
    this.isRepeatable =
      file.settings['executionOrder'] === 'v1' &&
      triggers.every(({ node }) => !givesLastResult(node) && !findServedTool(file, node));
    this.parts = createConversionContext(file, known, this.results.byName);
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
    this.links = linkNodeIds(file.links, this.ids, this.nodes);
  }

  /** The status of the conversion of a node that is no trigger, and its remarks. */
  conversionResult(name: string): ConversionResult {
    return this.results.byName.get(name) ?? { outcome: 'left out', message: '', knowledge: [] };
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
    for (const id of open)
      this.results.addTask(
        this.nodes.get(id)?.name,
        'Name its arguments: a name in $fromAI is computed, or has other signs.',
      );
    return { ...definition, language: 'javascript', prelude: 'n8n' };
  }

  /** A workflow without triggers begins at all nodes that nothing leads to. */
  private startPlainly(given: Map<string, ItemNodes>): NodeLink[] {
    const start = this.createId('start');
    given.set(start, createPlainStart(start, this.nodes.values()));
    return linkPlainStart(start, this.nodes.keys(), this.links);
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
    const circles = isDeep
      ? []
      : findCircles(outer, open).filter((circle) => this.takeRoom(4 + 2 * listCircleExits(circle).length));
    const around = linkAroundCircles(open, circles);
    const circleAt = new Map(circles.map((one) => [one.first, one]));
    const inCircles = new Set(circles.flatMap(({ ids: own }) => [...own]));
    const shown = outer.filter((id) => circleAt.has(id) || !inCircles.has(id));
    const { order, kept, cut } = sortWithoutCycles(shown, around);
    const arrivals = new ArrivalMap({ order, links: kept, nodes: this.nodes, roots, circles });
    const single = shown.filter((id) => !circleAt.has(id));
    const tasks = listRunTasks(single, kept, this.nodes, arrivals);
    const listParts = (id: string) =>
      [...(circleAt.get(id)?.ids ?? [id])].flatMap((one) => [one, ...(bodies.get(one) ?? [])]);
    const level = { shown, links: kept, nodes: this.nodes, arrivals, circles, given: new Set(given.keys()), listParts };
    // They are repeated only where their results would be others otherwise.
    const dependent = new Set(isDeep || !this.isRepeatable ? [] : tasks.map(({ id }) => id));
    const several = findSeveralRuns({ ...level, dependent }).filter(({ sources }) => this.takeRoom(4 + sources.length));
    const repeated = new Set(several.flatMap(({ ids: own }) => [...own]));
    const runsAt = new Map(several.map((one) => [one.head, one]));
    const pieces = new Map<string, ItemNodes>();
    for (const id of order) {
      const circle = circleAt.get(id);
      const runs = runsAt.get(id);
      if (!runs && repeated.has(id)) continue;
      const made = runs
        ? this.convertRuns(runs, new Set([...runs.ids].flatMap(listParts)), links, pieces)
        : circle
          ? this.convertCircle(circle, arrivals.arrivalAt(id), bodies, links)
          : (given.get(id) ?? this.convertOne(id, bodies.get(id), links));
      if (made) pieces.set(id, made);
    }
    for (const { from, to } of cut)
      this.results.addTask(this.nodes.get(from)?.name, describeCutLink(this.nodes.get(to)));
    for (const { id, task } of tasks) if (!repeated.has(id)) this.results.addTask(this.nodes.get(id)?.name, task);
    const read = new Set(circles.flatMap(({ exits }) => exits.map(({ from }) => from)));
    const inner = [...hidden, ...outer.filter((id) => inCircles.has(id) && !circleAt.has(id) && !read.has(id))];
    for (const { id, task } of listHiddenNameTasks(single, inner, this.nodes))
      this.results.addTask(this.nodes.get(id)?.name, task);
    const made = nameApart([...pieces.values()].flatMap((one) => one.nodes));
    const nodes = separateCards(made, (id) => this.nodes.has(id));
    return { nodes, connections: connectPieces(pieces, linkToRuns(orderSources(kept, this.nodes), several)) };
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
    if (fitting !== made && body) this.results.leaveOut(body, this.nodes, node.name);
    this.room -= fitting.nodes.length - 1;
    this.results.setConversion(node.name, conversion);
    return fitting;
  }

  private convertLoop(
    conversion: ItemConversion,
    body: ReadonlySet<string> | undefined,
    links: readonly NodeLink[],
  ): ItemNodes {
    if (!body) return convertLoopWithoutBody(conversion);
    reportLoopState(conversion, this.loopDepth > 0);
    return this.deeper(() =>
      convertLoopOverItems(conversion, {
        body,
        links,
        nodes: this.nodes,
        buildLevel: (level) => this.buildLevel(level),
      }),
    );
  }

  /** Takes room for nodes that are created beside others, if there is enough. */
  private takeRoom(count: number): boolean {
    if (count > this.room) return false;
    this.room -= count;
    return true;
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
    const made = this.deeper(() =>
      convertCircle(conversion, {
        circle: { ...circle, ids },
        links,
        nodes: this.nodes,
        arrival: findRoundArrival(circle, this.nodes, arrival),
        buildLevel: (level) => this.buildLevel(level),
      }),
    );
    this.results.addConversion(node.name, conversion);
    return made;
  }

  /** Nodes that n8n runs several times, as the body of a node that repeats them. */
  private convertRuns(
    runs: SeveralRuns,
    ids: ReadonlySet<string>,
    links: readonly NodeLink[],
    pieces: ReadonlyMap<string, ItemNodes>,
  ): ItemNodes | undefined {
    const node = this.nodes.get(runs.head);
    if (!node) return undefined;
    const conversion = new ItemConversion(node, runs.head, this.createId, this.parts);
    const made = this.deeper(() =>
      convertSeveralRuns(conversion, {
        runs,
        ids: [...ids],
        links: links.filter(({ from, to }) => ids.has(from) && ids.has(to)),
        rounds: runs.circle && pieces.get(runs.circle.first)?.rounds,
        buildLevel: (level) => this.buildLevel(level),
      }),
    );
    this.results.addNote(node.name, describeSeveralRuns(runs));
    return made;
  }

  private deeper<Made>(convert: () => Made): Made {
    this.loopDepth += 1;
    const made = convert();
    this.loopDepth -= 1;
    return made;
  }
}
