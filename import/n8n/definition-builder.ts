import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import {
  NodeConversion,
  type ConversionContext,
  type ConversionStatus,
  type ConvertedNodes,
  type InputReference,
} from './conversion';
import { cutWellFormed, type N8nFile, type N8nNode } from './file';
import type { ValueReference } from './javascript/scope';
import { createIdMaker } from './ids';
import { convertNode } from './nodes';
import { findLoopBodies, isLoopNode, loopBodyOutput } from './loops';
import { groupLinksByEnd, sortWithoutCycles, type NodeLink } from './node-links';
import {
  linkThroughNaming,
  prependCollectors,
  withEmptyItem,
  nodeInputs,
  joinConvertedNodes,
  renameInputFields,
  linkRootsToStart,
  convertedStart,
  uniqueLinks,
  addNodeNote,
  addRowList,
} from './converted-nodes';
import { convertItemLoop } from './item-loop';
import { convertRepeat, type WorkflowLevel } from './repeat';
import { linksAroundLoops, findUntilLoops, appendEndNode } from './until-loops';
import { isTriggerNode, shortNodeType } from './starts/convert-trigger';
import type { ConvertedTrigger } from './starts/trigger';

type TriggerNode = ConvertedTrigger & { node: N8nNode };

const START_NODE_ID = 'start';
const MAX_LOOP_DEPTH = 8;
/** Characters of an expression that is repeated where a node reads what comes in. */
const MAX_INLINE_SOURCE = 400;
/** How many nodes may be created. It leaves a margin below the limit of a workflow. */
const MAX_CREATED_NODES = 1900;

/** Characters of expressions that are parsed, repetitions included: about a second. */
const MAX_PARSED_CHARACTERS = 1_000_000;

/** Builds the nodes and connections of Weft. Nodes of n8n are named by ids from here on. */
export class DefinitionBuilder {
  /** A new id, made of the words of a name. */
  readonly createId = createIdMaker(START_NODE_ID);
  private createdNodeCount = 1;
  private readonly nodes = new Map<string, N8nNode>();
  private readonly ids = new Map<string, string>();
  private readonly links: NodeLink[];
  private readonly conversions = new Map<string, { outcome: ConversionStatus; message: string }>();
  private readonly furtherRemarks = new Map<string, string[]>();
  private readonly resumeUrl: string | undefined;
  private readonly budget = { characters: MAX_PARSED_CHARACTERS };
  /** The transform that gives the input the names of n8n; undefined: they are the same. */
  private naming: string | undefined;

  constructor(
    private readonly file: N8nFile,
    private readonly triggers: readonly TriggerNode[],
  ) {
    for (const node of file.nodes) {
      if (shortNodeType(node.type) === 'stickyNote') continue;
      if (file.parts.has(node.name)) {
        const owner = cutWellFormed(file.parts.get(node.name) ?? '', 60);
        this.conversions.set(node.name, { outcome: 'left out', message: `It is a part of “${owner}”.` });
        continue;
      }
      const own = triggers.find((one) => one.node === node);
      const isNamed = own !== undefined && own.names.size > 0;
      const id = own && !isNamed ? START_NODE_ID : ((isNamed ? this.naming : undefined) ?? this.createId(node.name));
      this.ids.set(node.name, id);
      if (isNamed) this.naming ??= id;
      if (id !== START_NODE_ID && !this.nodes.has(id)) this.nodes.set(id, node);
    }
    const links = file.links.flatMap(({ from, output, to, input }): NodeLink[] => {
      const [source, target] = [this.ids.get(from), this.ids.get(to)];
      return source && target && target !== START_NODE_ID ? [{ from: source, output, to: target, input }] : [];
    });
    this.links = uniqueLinks(this.naming === undefined ? links : linkThroughNaming(links, START_NODE_ID, this.naming));
    const waiting = [...this.nodes].filter(
      ([, { type, parameters }]) =>
        shortNodeType(type) === 'wait' && ['webhook', 'form'].includes(String(parameters['resume'])),
    );
    this.resumeUrl = waiting.length === 1 ? `execution.resumeUrls.${waiting[0]?.[0]}` : undefined;
  }

  /** The status of the conversion of a node that is no trigger, and its remarks. */
  conversionResult(name: string): { outcome: ConversionStatus; message: string } {
    const found = this.conversions.get(name) ?? { outcome: 'left out' as const, message: '' };
    const more = this.furtherRemarks.get(name) ?? [];
    const outcome = more.length > 0 && found.outcome === 'converted' ? 'partly' : found.outcome;
    return { outcome, message: [found.message, ...new Set(more)].filter(Boolean).join(' ') };
  }

  buildDefinition(): WorkflowDefinition {
    const names = new Map<string, ValueReference>(
      this.triggers.map(({ node }) => [node.name, { code: 'execution.input', isList: false }]),
    );
    const source: InputReference = { path: '', code: 'execution.input', isList: false };
    return this.level({
      ids: [...this.nodes.keys()],
      links:
        this.triggers.length > 0 ? this.links : linkRootsToStart(this.links, [...this.nodes.keys()], START_NODE_ID),
      start: { id: START_NODE_ID, position: this.startPlace(), source },
      names,
      depth: 0,
    });
  }

  private startPlace(): WorkflowNode['position'] {
    const [first] = this.triggers;
    if (first && first.names.size === 0) return first.node.position;
    const places = [...this.nodes.values()].map(({ position }) => position);
    return { x: Math.min(0, ...places.map(({ x }) => x)) - 320, y: places[0]?.y ?? 0 };
  }

  private addRemark(id: string, sentence: string): void {
    const name = this.nodes.get(id)?.name ?? '';
    this.furtherRemarks.set(name, [...(this.furtherRemarks.get(name) ?? []), sentence]);
  }

  /** Converts the nodes of a level in an order in which each follows what it gets. */
  private level({ ids, links: given, start, names: outer, depth, end }: WorkflowLevel): WorkflowDefinition {
    const bodies = depth < MAX_LOOP_DEPTH ? findLoopBodies(ids, given, this.nodes) : new Map<string, Set<string>>();
    const hidden = new Set([...bodies.values()].flatMap((body) => [...body]));
    const isTaken = (id: string) => depth >= MAX_LOOP_DEPTH || hidden.has(id) || bodies.has(id);
    const untils = findUntilLoops(ids, given, this.nodes, isTaken);
    for (const { body } of untils.values()) for (const one of body) hidden.add(one);
    const all = linksAroundLoops(given, untils);
    const shown = [start.id, ...ids.filter((id) => !hidden.has(id))];
    const open = all.filter(
      ({ from, to, output }) =>
        !hidden.has(from) && !hidden.has(to) && !(bodies.has(from) && this.isIntoLoop(from, output)),
    );
    const { order, kept, cut: circles } = sortWithoutCycles(shown, open);
    for (const { from, to } of circles) {
      this.addRemark(
        from,
        `Its connection back to “${cutWellFormed(this.nodes.get(to)?.name ?? '', 60)}” is left out: use the node repeat.`,
      );
    }
    const incoming = groupLinksByEnd(kept, 'to');
    const pieces = new Map<string, ConvertedNodes>([[start.id, convertedStart(start)]]);
    const branched = new Set<string>();
    const names = new Map(outer);
    for (const id of order) {
      const node = this.nodes.get(id);
      if (!node) continue;
      const own = incoming.get(id) ?? [];
      if (own.some(({ from }) => branched.has(from))) branched.add(id);
      const { inputs, collectors } = this.plainInputs(id, node, nodeInputs(own, pieces, branched.has(id)));
      const body = bodies.get(id);
      const until = untils.get(id);
      const around = { links: all, names, depth, level: (inner: WorkflowLevel) => this.level(inner) };
      const made = prependCollectors(
        body
          ? this.convertRepeating(id, node, inputs, names, 2, (conversion) =>
              convertItemLoop(conversion, {
                ...around,
                body,
                addRemark: (end, sentence) => this.addRemark(end, sentence),
              }),
            )
          : until
            ? this.convertRepeating(id, node, inputs, names, 3, (conversion) =>
                convertRepeat(conversion, { ...around, until, links: given }),
              )
            : this.convertSingleNode(id, node, inputs, names),
        collectors,
      );
      if (node.onError === 'output' || made.nodes.some(({ type }) => type === 'condition' || type === 'switch'))
        branched.add(id);
      const { result } = made;
      const piece = result.isList ? { ...made, result: { ...result, rows: addRowList(result, node.name) } } : made;
      pieces.set(id, piece);
      names.set(node.name, result);
      if (id === this.naming) for (const one of this.triggers) if (one.names.size > 0) names.set(one.node.name, result);
    }
    const definition = joinConvertedNodes(pieces, kept, this.nodes);
    const last = pieces.get(ids.at(-1) ?? '');
    return end && last ? appendEndNode(definition, last, end(last.result, names)) : definition;
  }

  private isIntoLoop(id: string, output: number): boolean {
    const node = this.nodes.get(id);
    return node !== undefined && loopBodyOutput(node) === output;
  }

  /** The inputs of a node. Those that would be long expressions are collected by transforms before it. */
  private plainInputs(id: string, node: N8nNode, given: (InputReference | undefined)[]) {
    const collectors: WorkflowNode[] = [];
    const isCode = ['code', 'function', 'functionItem'].includes(shortNodeType(node.type));
    const inputs = given.map((source) => {
      const isLong = source && source.code.length > MAX_INLINE_SOURCE;
      if (!source || !(isLong || (isCode && source.path === undefined))) return source;
      const own = this.createId(`${id}_input`);
      const position = { x: node.position.x - 120, y: node.position.y + 120 + collectors.length * 100 };
      const name = cutWellFormed(`${node.name}: input`, 200);
      collectors.push({ id: own, type: 'transform', name, position, config: { expression: source.code } });
      return { path: undefined, code: `nodes.${own}`, isList: source.isList };
    });
    const [only] = inputs;
    this.createdNodeCount += collectors.length;
    return {
      inputs: inputs.length === 1 && only && collectors.length === 1 ? [{ ...only, path: '' }] : inputs,
      collectors,
    };
  }

  private contextFor(
    inputs: (InputReference | undefined)[],
    names: ReadonlyMap<string, ValueReference>,
  ): ConversionContext {
    const given = inputs.filter((one) => one !== undefined);
    const [first] = given;
    return {
      source: first ?? { path: '', code: '{}', isList: false },
      inputs,
      nodes: names,
      workflowName: this.file.name,
      resumeUrl: this.resumeUrl,
      budget: this.budget,
      createId: this.createId,
      hasRoom: (count) => this.createdNodeCount + count < MAX_CREATED_NODES,
      attachedParts: ({ name }, wanted) =>
        (this.file.attached.get(name) ?? []).flatMap(({ kind, node }) =>
          kind === wanted && !node.isDisabled && this.file.parts.has(node.name) ? [node] : [],
        ),
      reportPart: ({ name }, outcome, message) => this.conversions.set(name, { outcome, message }),
    };
  }

  private convertSingleNode(
    id: string,
    node: N8nNode,
    inputs: (InputReference | undefined)[],
    names: ReadonlyMap<string, ValueReference>,
  ): ConvertedNodes {
    const conversion = new NodeConversion(node, id, this.contextFor(inputs, names));
    const piece = this.convertNodeOrTrigger(conversion);
    this.createdNodeCount += piece.nodes.length + (piece.nodes.some(({ type }) => type === 'for_each') ? 2 : 0);
    const { outcome, message } = conversion;
    const skipped = node.isDisabled
      ? [message, 'It is disabled and passes its input on.'].filter(Boolean).join(' ')
      : message;
    this.conversions.set(node.name, { outcome, message: skipped });
    const review =
      outcome === 'placeholder' ? addNodeNote(piece, `From n8n (${shortNodeType(node.type)}). ${message}`) : piece;
    // A disabled node passes its input on as its result.
    if (node.isDisabled) return { ...review, result: conversion.source };
    return node.alwaysOutputsData && review.result.isList
      ? { ...review, result: withEmptyItem(review.result) }
      : review;
  }

  private convertNodeOrTrigger(conversion: NodeConversion): ConvertedNodes {
    const trigger = this.triggers.find(({ node }) => node === conversion.node);
    if (trigger && isTriggerNode(trigger.node)) {
      return renameInputFields(conversion, new Map(this.triggers.flatMap(({ names }) => [...names])));
    }
    if (isLoopNode(conversion.node)) {
      return conversion.placeholder('It has no nodes to repeat: its input passes on.');
    }
    return convertNode(conversion);
  }

  /** Converts a node that repeats others, which creates `count` nodes besides those of its body. */
  private convertRepeating(
    id: string,
    node: N8nNode,
    inputs: (InputReference | undefined)[],
    names: ReadonlyMap<string, ValueReference>,
    count: number,
    convert: (conversion: NodeConversion) => ConvertedNodes,
  ): ConvertedNodes {
    this.createdNodeCount += count;
    const conversion = new NodeConversion(node, id, this.contextFor(inputs, names));
    const piece = convert(conversion);
    const { outcome, message } = conversion;
    this.conversions.set(node.name, { outcome, message });
    return piece;
  }
}
