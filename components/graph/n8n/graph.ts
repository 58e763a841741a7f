import type { Definition, Node } from '@/contract/workflows/workflow';
import { Conversion, type Around, type Outcome, type Piece, type Source } from './conversion';
import { cut, type N8nFile, type N8nNode } from './file';
import type { Place } from './javascript/scope';
import { idMaker } from './ids';
import { convertNode } from './nodes';
import { bodiesOf, isLoop, loopOutput } from './loops';
import { linksBy, sorted, type Link } from './order';
import {
  behindNames,
  collected,
  filled,
  inputsOf,
  joined,
  named,
  rooted,
  rowsOf,
  startPiece,
  unique,
  withNote,
  withRow,
} from './pieces';
import { repeated, type Level, type Repeated } from './repeated';
import { aroundUntils, untilsOf, withEnd } from './until';
import { isTrigger, shortType } from './starts/starts';
import type { ConvertedTrigger } from './starts/trigger';

type TriggerNode = ConvertedTrigger & { node: N8nNode };

const START = 'start';
const MAX_LOOPS = 8;
/** Characters of an expression that is repeated where a node reads what comes in. */
const MAX_SOURCE = 400;
/** Nodes that may be made, with room below the limit of a workflow. */
const MAX_NODES = 1900;

/** Characters of expressions that are parsed, repetitions included: about a second. */
const MAX_PARSED = 1_000_000;

/** Builds the nodes and connections of Weft. Nodes of n8n are named by ids from here on. */
export class Graph {
  /** A new id, made of the words of a name. */
  readonly idOf = idMaker(START);
  private made = 1;
  private readonly nodes = new Map<string, N8nNode>();
  private readonly ids = new Map<string, string>();
  private readonly links: Link[];
  private readonly conversions = new Map<string, { outcome: Outcome; message: string }>();
  private readonly further = new Map<string, string[]>();
  private readonly resumeUrl: string | undefined;
  private readonly budget = { characters: MAX_PARSED };
  /** The transform that gives the input the names of n8n; undefined: they are the same. */
  private naming: string | undefined;

  constructor(
    private readonly file: N8nFile,
    private readonly triggers: readonly TriggerNode[],
  ) {
    for (const node of file.nodes) {
      if (shortType(node.type) === 'stickyNote') continue;
      if (file.parts.has(node.name)) {
        const owner = cut(file.parts.get(node.name) ?? '', 60);
        this.conversions.set(node.name, { outcome: 'left out', message: `It is a part of “${owner}”.` });
        continue;
      }
      const own = triggers.find((one) => one.node === node);
      const isNamed = own !== undefined && own.names.size > 0;
      const id = own && !isNamed ? START : ((isNamed ? this.naming : undefined) ?? this.idOf(node.name));
      this.ids.set(node.name, id);
      if (isNamed) this.naming ??= id;
      if (id !== START && !this.nodes.has(id)) this.nodes.set(id, node);
    }
    const links = file.links.flatMap(({ from, output, to, input }): Link[] => {
      const [source, target] = [this.ids.get(from), this.ids.get(to)];
      return source && target && target !== START ? [{ from: source, output, to: target, input }] : [];
    });
    this.links = unique(this.naming === undefined ? links : behindNames(links, START, this.naming));
    const waiting = [...this.nodes].filter(
      ([, { type, parameters }]) =>
        shortType(type) === 'wait' && ['webhook', 'form'].includes(String(parameters['resume'])),
    );
    this.resumeUrl = waiting.length === 1 ? `execution.resumeUrls.${waiting[0]?.[0]}` : undefined;
  }

  /** What became of a node that is no trigger. */
  said(name: string): { outcome: Outcome; message: string } {
    const found = this.conversions.get(name) ?? { outcome: 'left out' as const, message: '' };
    const more = this.further.get(name) ?? [];
    const outcome = more.length > 0 && found.outcome === 'converted' ? 'partly' : found.outcome;
    return { outcome, message: [found.message, ...new Set(more)].filter(Boolean).join(' ') };
  }

  definition(): Definition {
    const names = new Map<string, Place>(
      this.triggers.map(({ node }) => [node.name, { code: 'execution.input', isList: false }]),
    );
    const source: Source = { path: '', code: 'execution.input', isList: false };
    return this.level({
      ids: [...this.nodes.keys()],
      links: this.triggers.length > 0 ? this.links : rooted(this.links, [...this.nodes.keys()], START),
      start: { id: START, position: this.startPlace(), source },
      names,
      depth: 0,
    });
  }

  private startPlace(): Node['position'] {
    const [first] = this.triggers;
    if (first && first.names.size === 0) return first.node.position;
    const places = [...this.nodes.values()].map(({ position }) => position);
    return { x: Math.min(0, ...places.map(({ x }) => x)) - 320, y: places[0]?.y ?? 0 };
  }

  private tell(id: string, sentence: string): void {
    const name = this.nodes.get(id)?.name ?? '';
    this.further.set(name, [...(this.further.get(name) ?? []), sentence]);
  }

  /** Converts the nodes of a level in an order in which each follows what it gets. */
  private level({ ids, links: given, start, names: around, depth, end }: Level): Definition {
    const bodies = depth < MAX_LOOPS ? bodiesOf(ids, given, this.nodes) : new Map<string, Set<string>>();
    const hidden = new Set([...bodies.values()].flatMap((body) => [...body]));
    const isTaken = (id: string) => depth >= MAX_LOOPS || hidden.has(id) || bodies.has(id);
    const untils = untilsOf(ids, given, this.nodes, isTaken);
    for (const { body } of untils.values()) for (const one of body) hidden.add(one);
    const all = aroundUntils(given, untils);
    const shown = [start.id, ...ids.filter((id) => !hidden.has(id))];
    const open = all.filter(
      ({ from, to, output }) =>
        !hidden.has(from) && !hidden.has(to) && !(bodies.has(from) && this.isIntoLoop(from, output)),
    );
    const { order, kept, cut: circles } = sorted(shown, open);
    for (const { from, to } of circles) {
      this.tell(
        from,
        `Its connection back to “${cut(this.nodes.get(to)?.name ?? '', 60)}” is left out: use the node repeat.`,
      );
    }
    const incoming = linksBy(kept, 'to');
    const pieces = new Map<string, Piece>([[start.id, startPiece(start)]]);
    const branched = new Set<string>();
    const names = new Map(around);
    for (const id of order) {
      const node = this.nodes.get(id);
      if (!node) continue;
      const own = incoming.get(id) ?? [];
      if (own.some(({ from }) => branched.has(from))) branched.add(id);
      const { inputs, collectors } = this.plainInputs(id, node, inputsOf(own, pieces, branched.has(id)));
      const body = bodies.get(id);
      const until = untils.get(id);
      const made = collected(
        body
          ? this.loop(id, node, inputs, body, all, names, depth)
          : until
            ? this.until(id, node, inputs, { until, links: given, names, depth })
            : this.step(id, node, inputs, names),
        collectors,
      );
      if (node.onError === 'output' || made.nodes.some(({ type }) => type === 'condition' || type === 'switch'))
        branched.add(id);
      const { result } = made;
      const piece = result.isList ? { ...made, result: { ...result, rows: withRow(result, node.name) } } : made;
      pieces.set(id, piece);
      names.set(node.name, result);
      if (id === this.naming) for (const one of this.triggers) if (one.names.size > 0) names.set(one.node.name, result);
    }
    const definition = joined(pieces, kept, this.nodes);
    const last = pieces.get(ids.at(-1) ?? '');
    return end && last ? withEnd(definition, last, end(last.result, names)) : definition;
  }

  private isIntoLoop(id: string, output: number): boolean {
    const node = this.nodes.get(id);
    return node !== undefined && loopOutput(node) === output;
  }

  /** The inputs of a node. Those that would be long expressions are collected by transforms before it. */
  private plainInputs(id: string, node: N8nNode, given: (Source | undefined)[]) {
    const collectors: Node[] = [];
    const isCode = ['code', 'function', 'functionItem'].includes(shortType(node.type));
    const inputs = given.map((source) => {
      const isLong = source && source.code.length > MAX_SOURCE;
      if (!source || !(isLong || (isCode && source.path === undefined))) return source;
      const own = this.idOf(`${id}_input`);
      const position = { x: node.position.x - 120, y: node.position.y + 120 + collectors.length * 100 };
      const name = cut(`${node.name}: input`, 200);
      collectors.push({ id: own, type: 'transform', name, position, config: { expression: source.code } });
      return { path: undefined, code: `nodes.${own}`, isList: source.isList };
    });
    const [only] = inputs;
    this.made += collectors.length;
    return {
      inputs: inputs.length === 1 && only && collectors.length === 1 ? [{ ...only, path: '' }] : inputs,
      collectors,
    };
  }

  private around(inputs: (Source | undefined)[], names: ReadonlyMap<string, Place>): Around {
    const given = inputs.filter((one) => one !== undefined);
    const [first] = given;
    return {
      source: first ?? { path: '', code: '{}', isList: false },
      inputs,
      nodes: names,
      workflowName: this.file.name,
      resumeUrl: this.resumeUrl,
      budget: this.budget,
      idOf: this.idOf,
      hasRoom: (count) => this.made + count < MAX_NODES,
      attached: ({ name }, wanted) =>
        (this.file.attached.get(name) ?? []).flatMap(({ kind, node }) =>
          kind === wanted && !node.isDisabled && this.file.parts.has(node.name) ? [node] : [],
        ),
      tell: ({ name }, outcome, message) => this.conversions.set(name, { outcome, message }),
    };
  }

  private step(id: string, node: N8nNode, inputs: (Source | undefined)[], names: ReadonlyMap<string, Place>): Piece {
    const conversion = new Conversion(node, id, this.around(inputs, names));
    const piece = this.converted(conversion);
    this.made += piece.nodes.length + (piece.nodes.some(({ type }) => type === 'for_each') ? 2 : 0);
    const { outcome, message } = conversion;
    const skipped = node.isDisabled
      ? [message, 'It is disabled and passes its input on.'].filter(Boolean).join(' ')
      : message;
    this.conversions.set(node.name, { outcome, message: skipped });
    const review =
      outcome === 'placeholder' ? withNote(piece, `From n8n (${shortType(node.type)}). ${message}`) : piece;
    // What is disabled gives what it gets.
    if (node.isDisabled) return { ...review, result: conversion.source };
    return node.alwaysGives && review.result.isList ? { ...review, result: filled(review.result) } : review;
  }

  private converted(conversion: Conversion): Piece {
    const trigger = this.triggers.find(({ node }) => node === conversion.node);
    if (trigger && isTrigger(trigger.node)) {
      return named(conversion, new Map(this.triggers.flatMap(({ names }) => [...names])));
    }
    if (isLoop(conversion.node)) {
      return conversion.placeholder('It has no nodes to repeat: its input passes on.');
    }
    return convertNode(conversion);
  }

  private loop(
    id: string,
    node: N8nNode,
    inputs: (Source | undefined)[],
    body: ReadonlySet<string>,
    links: readonly Link[],
    names: ReadonlyMap<string, Place>,
    depth: number,
  ): Piece {
    const conversion = new Conversion(node, id, this.around(inputs, names));
    const { batchSize } = node.parameters;
    if (typeof batchSize === 'number' && batchSize > 1)
      conversion.todo(`It takes one item at a time, in place of ${Math.round(batchSize)}.`);
    const startId = this.idOf(`${id}_item`);
    const item: Source = { path: '.item', code: `nodes.${startId}.item`, isList: false };
    const inner = links.flatMap((link): Link[] => {
      if (!body.has(link.to)) return [];
      if (link.from === id) return [{ ...link, from: startId, output: 0 }];
      if (body.has(link.from)) return [link];
      this.tell(link.to, 'A connection from outside of its loop is left out.');
      return [];
    });
    for (const { from, to } of links) {
      if (body.has(from) && to !== id && !body.has(to))
        this.tell(from, 'A connection out of its loop is left out: continue behind the loop.');
    }
    this.made += 2;
    const own = new Map([
      ...names,
      ...rowsOf(conversion.source.rows, names, `nodes.${startId}.index`),
      [node.name, { code: item.code, isList: false }] as const,
    ]);
    const { x, y } = node.position;
    const definition = this.level({
      ids: [...body],
      links: inner,
      start: { id: startId, position: { x: x + 160, y: y + 160 }, source: item },
      names: own,
      depth: depth + 1,
    });
    const { outcome, message } = conversion;
    this.conversions.set(node.name, { outcome, message });
    const piece = conversion.whole({ type: 'for_each', config: { items: conversion.items, body: definition } }, true);
    const output = { node: id, port: 'output' };
    return { ...piece, outputs: [output, output] };
  }

  private until(id: string, node: N8nNode, inputs: (Source | undefined)[], loop: Omit<Repeated, 'level'>): Piece {
    this.made += 3;
    const conversion = new Conversion(node, id, this.around(inputs, loop.names));
    const piece = repeated(conversion, { ...loop, level: (level) => this.level(level) });
    const { outcome, message } = conversion;
    this.conversions.set(node.name, { outcome, message });
    return piece;
  }
}
