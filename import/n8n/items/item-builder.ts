import type { NodeConnection, WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import type { ConversionStatus } from '../conversion';
import { asN8nObject, cutWellFormed, type N8nFile, type N8nNode } from '../file';
import { createIdMaker } from '../ids';
import { findLoopBodies, isLoopNode } from '../loops';
import { groupLinksByEnd, sortWithoutCycles, type NodeLink } from '../node-links';
import { shortNodeType } from '../starts/convert-trigger';
import type { ConvertedTrigger, ImportedTrigger } from '../starts/trigger';
import { ITEM_CONVERTERS } from './converters';
import { convertOutsideNode, isOutsideType } from './service-node';
import { ItemConversion, type ItemLevel, type ItemNodes, type PartAccess } from './item-conversion';
import { convertLoopOverItems } from './item-loop';
import { describeMissingNode, hasNodeConverter } from '../nodes';
import { orderSources } from './source-order';

export type TriggerNode = ConvertedTrigger & { node: N8nNode };

const findConverter = (type: string) => {
  const short = shortNodeType(type);
  if (isOutsideType(type)) return convertOutsideNode;
  return type.startsWith('n8n-nodes-base.') && Object.hasOwn(ITEM_CONVERTERS, short)
    ? ITEM_CONVERTERS[short]
    : undefined;
};

/** Whether all nodes of a file can be converted one by one, or have no counterpart at all. */
export function isItemFile(file: N8nFile, triggers: readonly TriggerNode[]): boolean {
  // The arguments of tools have no names in the expressions of n8n's prelude.
  const hasTools = [...file.attached.values()].flat().some(({ kind }) => kind === 'ai_tool');
  // A chat shows the text of an answer, and a list as JSON.
  const isChat = triggers.some(({ node }) => shortNodeType(node.type) === 'chatTrigger');
  const hasFormerChat = isChat && file.nodes.some(({ type }) => isOutsideType(type));
  if (hasTools || hasFormerChat || triggers.length === 0) return false;
  return file.nodes.every(
    (node) =>
      triggers.some((one) => one.node === node) ||
      shortNodeType(node.type) === 'stickyNote' ||
      file.parts.has(node.name) ||
      isLoopNode(node) ||
      findConverter(node.type) !== undefined ||
      !hasNodeConverter(node.type),
  );
}

/** Builds a definition whose nodes work on lists of items, with expressions as they were written. */
export class ItemBuilder {
  readonly createId = createIdMaker();
  private readonly nodes = new Map<string, N8nNode>();
  private readonly ids = new Map<string, string>();
  private readonly links: NodeLink[];
  private readonly results = new Map<string, { outcome: ConversionStatus; message: string }>();
  private readonly parts: PartAccess = {
    attachedParts: ({ name }, wanted) =>
      (this.file.attached.get(name) ?? []).flatMap(({ kind, node }) =>
        kind === wanted && !node.isDisabled && this.file.parts.has(node.name) ? [node] : [],
      ),
    reportPart: ({ name }, outcome, message) => this.results.set(name, { outcome, message }),
  };
  private isUnfit = false;
  private loopDepth = 0;

  constructor(
    private readonly file: N8nFile,
    private readonly triggers: readonly TriggerNode[],
  ) {
    // A trigger starts runs, also in a file that attaches it to another node as a part.
    const starts = new Set(triggers.map(({ node }) => node.name));
    for (const node of file.nodes) {
      if (shortNodeType(node.type) === 'stickyNote') continue;
      const owner = starts.has(node.name) ? undefined : file.parts.get(node.name);
      if (owner !== undefined) {
        const message = `It is a part of “${cutWellFormed(owner, 60)}”.`;
        this.results.set(node.name, { outcome: 'left out', message });
        continue;
      }
      const id = this.createId(node.name);
      this.ids.set(node.name, id);
      this.nodes.set(id, node);
    }
    this.links = file.links.flatMap(({ from, output, to, input }): NodeLink[] => {
      const [source, target] = [this.ids.get(from), this.ids.get(to)];
      return source && target ? [{ from: source, output, to: target, input }] : [];
    });
  }

  /** The status of the conversion of a node that is no trigger, and its remarks. */
  conversionResult(name: string): { outcome: ConversionStatus; message: string } {
    return this.results.get(name) ?? { outcome: 'left out', message: '' };
  }

  /** Undefined: a part of the workflow has no counterpart in this form. */
  buildDefinition(): WorkflowDefinition | undefined {
    const given = new Map(this.triggers.map(({ node, names }) => this.convertStart(node, names)));
    const definition = this.buildLevel({ ids: [...this.nodes.keys()], links: this.links, given });
    return this.isUnfit ? undefined : { ...definition, language: 'javascript', prelude: 'n8n' };
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

  private convertStart(node: N8nNode, names: ReadonlyMap<string, string>): [string, ItemNodes] {
    const id = this.ids.get(node.name) ?? '';
    const name = cutWellFormed(node.name, 200);
    const start: WorkflowNode = {
      id,
      type: 'start',
      name,
      position: node.position,
      config: {},
      ...(node.isDisabled ? { disabled: true } : {}),
    };
    if (names.size === 0)
      return [id, { nodes: [start], connections: [], entries: [], outputs: [[{ node: id, port: 'output' }]] }];
    // The fields get the names that they have in n8n.
    const renamed = this.createId(`${id}_fields`);
    const fields = [...names].map(
      ([theirs, ours]) => `${JSON.stringify(theirs)}: $json?.${ours.replaceAll('.', '?.')}`,
    );
    const transform: WorkflowNode = {
      id: renamed,
      type: 'transform',
      name,
      position: { x: node.position.x + 160, y: node.position.y },
      config: { expression: `({ ...input, ${fields.join(', ')} })` },
      each: {},
    };
    return [
      id,
      {
        nodes: [{ ...start, name: cutWellFormed(`${name}: start`, 200) }, transform],
        connections: [{ sourceNode: id, sourcePort: 'output', targetNode: renamed, targetPort: 'input' }],
        entries: [],
        outputs: [[{ node: renamed, port: 'output' }]],
      },
    ];
  }

  /** Converts the nodes of a level. */
  buildLevel({ ids, links, given }: ItemLevel): WorkflowDefinition {
    const bodies = findLoopBodies(ids, links, this.nodes);
    const hidden = new Set([...bodies.values()].flatMap((body) => [...body]));
    const isOpen = (id: string) => !hidden.has(id) && given.get(id)?.entries.length !== 0;
    const open = links.filter(({ from, to }) => !hidden.has(from) && isOpen(to));
    const shown = [...new Set([...given.keys(), ...ids])].filter((id) => !hidden.has(id));
    const { order, kept, cut } = sortWithoutCycles(shown, open);
    // A circle without a loop node has no counterpart here.
    if (cut.some(({ to }) => !bodies.has(to))) this.isUnfit = true;
    const pieces = new Map<string, ItemNodes>();
    for (const id of order) {
      const made = given.get(id) ?? this.convertOne(id, bodies.get(id), links);
      if (made) pieces.set(id, made);
    }
    this.remarkSeveralSources(kept);
    const nodes = nameApart([...pieces.values()].flatMap((one) => one.nodes));
    return { nodes, connections: this.connect(pieces, kept) };
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
    const convert = findConverter(node.type) ?? convertMissingNode;
    const made = isLoop ? body && this.convertLoop(conversion, body, links) : convert(conversion);
    if (!made) this.isUnfit = true;
    if (LOOP_STATE.test(JSON.stringify(node.parameters)))
      conversion.addTodo('Check what it reads of a loop: rounds have no state that others can read.');
    const { outcome, message } = conversion;
    this.results.set(node.name, { outcome, message });
    return made;
  }

  private convertLoop(conversion: ItemConversion, body: ReadonlySet<string>, links: readonly NodeLink[]): ItemNodes {
    const { reset } = asN8nObject(conversion.node.parameters['options']);
    if (this.loopDepth > 0 && reset !== true)
      conversion.addTodo('Check its items: n8n runs an inner loop without “reset” for the first outer round alone.');
    this.loopDepth += 1;
    const made = convertLoopOverItems(conversion, { body, links, buildLevel: (level) => this.buildLevel(level) });
    this.loopDepth -= 1;
    return made;
  }

  /** Connections in the order in which n8n would deliver what they carry. */
  private connect(pieces: ReadonlyMap<string, ItemNodes>, links: readonly NodeLink[]): NodeConnection[] {
    const inner = [...pieces.values()].flatMap((one) => one.connections);
    const between = orderSources(links, this.nodes).flatMap(({ from, output, to, input }) => {
      const [source, target] = [pieces.get(from), pieces.get(to)];
      const targetNode = target?.entries[input] ?? target?.entries.at(-1);
      if (targetNode === undefined) return [];
      return (source?.outputs[output] ?? []).map(({ node, port }) => ({
        sourceNode: node,
        sourcePort: port,
        targetNode,
        targetPort: 'input',
      }));
    });
    const all = [...inner, ...between];
    return [...new Map(all.map((one) => [Object.values(one).join('\n'), one])).values()];
  }

  /** n8n runs a node once for each connection that brings items: for code and lists that is another result. */
  private remarkSeveralSources(links: readonly NodeLink[]): void {
    for (const [id, own] of groupLinksByEnd(links, 'to')) {
      const node = this.nodes.get(id);
      const readsList = READS_LIST.test(JSON.stringify(node?.parameters ?? {}));
      const isWhole = node && (WHOLE_LIST_TYPES.has(shortNodeType(node.type)) || readsList);
      const before = node && this.results.get(node.name);
      if (!node || !before || !isWhole || new Set(own.map(({ from, output }) => `${from} ${output}`)).size < 2)
        continue;
      const remark =
        'n8n runs it once for each of its connections, Weft once for all items together: check its result.';
      const outcome = before.outcome === 'converted' ? 'partly' : before.outcome;
      this.results.set(node.name, { outcome, message: [before.message, remark].filter(Boolean).join(' ') });
    }
  }
}

/** A node without a counterpart passes its items on, and has to be replaced. */
function convertMissingNode(conversion: ItemConversion): ItemNodes {
  conversion.outcome = 'placeholder';
  conversion.addRemark(describeMissingNode(conversion.node.type));
  return conversion.eachNode({ type: 'transform', config: { expression: 'input' } });
}

/** Nodes with names of their own: what is added gives way to what n8n named, which expressions look for. */
function nameApart(nodes: readonly WorkflowNode[]): WorkflowNode[] {
  const used = new Set<string>();
  return nodes.map((node) => {
    const wanted = node.name ?? node.id;
    let name = wanted;
    for (let count = 2; used.has(name); count += 1) name = `${cutWellFormed(wanted, 190)} ${count}`;
    used.add(name);
    return name === node.name ? node : { ...node, name };
  });
}

/** What an expression reads that depends on the whole list of a node, or on the run of it. */
const READS_LIST = /\$input\.(?:all|first|last)\b|\$items\b|\$itemIndex\b|\$runIndex\b|\$prevNode\b/;
/** What an expression reads of a loop. */
const LOOP_STATE = /noItemsLeft|currentRunIndex|\bcontext\s*[[.]/;

/** Types whose result depends on whether their items come together. */
const WHOLE_LIST_TYPES = new Set([
  'aggregate',
  'code',
  'function',
  'itemLists',
  'limit',
  'removeDuplicates',
  'sort',
  'splitInBatches',
  'summarize',
]);
