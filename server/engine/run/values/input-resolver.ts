import { finishedNodeValue } from '../../store/deliveries';
import type { ChildRunEnd, FinishedLoopRound } from '@/server/workflow/nodes/node-type';
import {
  loadOffloadedValues,
  loadTakenPorts,
  type LoadedValues,
  type OffloadedRefs,
  type TakenPorts,
} from './offloaded-values';
import type { EndedChildRun } from '../../queue/children';
import type { ClaimedRun } from '../../queue/claim';
import { setField } from '@/server/evaluation/expressions/scope';
import {
  findDeliveredStates,
  resolveRoundGraph,
  resolveNodeInput,
  findLeafStates,
  roundPathPrefix,
  type NodeInstance,
} from '../graph-scope';
import { possibleLeaves, type WorkflowGraph } from '@/server/workflow/definition/graph';
import {
  findOffloadedItem,
  loadPortShares,
  readItemScope,
  withRoundItem,
  type ItemScope,
  type LoadedShares,
} from './item-values';
import {
  createPairing,
  findPairingOwner,
  listPairedPaths,
  NO_PARSED_LISTS,
  parsePairedLists,
  type ParsedLists,
} from './paired-items';
import type { ItemPairing } from '../../attempt/context';
import { findCachedItem } from './loop-items';
import { requireCombinedSize } from '../../store/large-values';
import { mayReferenceInput, mayReferenceName, mayReferenceNode, mayReferenceRunInput } from './node-references';
import type { RunStateStore } from '../ledger';
import type { StoppableWork } from '../../load/stop';
import {
  isLeafNode,
  isOutputOffloaded,
  largeOutputBytes,
  readLoopRounds,
  startedChildId,
  type NodeStateReader,
  buildGraphOutput,
} from '../../store/state';

/** The values that a node reads; large values are valid until `release`. */
export interface ResolvedInput {
  input: unknown;
  nodes: Record<string, unknown>;
  /** The run's input. */
  runInput: unknown;
  child: ChildRunEnd | undefined;
  /** The finished round of a loop, which the loop judges. */
  round: FinishedLoopRound | undefined;
  /** The item that the node runs for; undefined: it is outside of nodes with `each`. */
  item: ItemScope | undefined;
  /** For a node with `each` whose expressions read the items that its items came from. */
  pairing: ItemPairing | undefined;
  release(): void;
}

const NO_LOADED_VALUES: LoadedValues = {
  outputs: new Map(),
  input: undefined,
  child: undefined,
  item: undefined,
  items: undefined,
  release: () => undefined,
};

/** Resolves the values that the nodes of one run read: their inputs, and the outputs of other nodes. */
export class InputResolver {
  /** `ends`: the ends of child runs for which nodes wait, by run id. */
  constructor(
    private readonly claimed: ClaimedRun,
    private readonly ledger: RunStateStore,
    private readonly ends: ReadonlyMap<string, EndedChildRun>,
  ) {}

  /** The values that a node reads; null: some of them have to be loaded. */
  resolveInMemory(instance: NodeInstance): ResolvedInput | null {
    const child = this.ends.size > 0 ? this.childEnd(instance) : undefined;
    if (this.ledger.hasLargeValues || child?.largeBytes || this.claimed.inputBytes !== null)
      return this.offloadedRefs(instance) ? null : this.resolve(instance, NO_LOADED_VALUES);
    const { states } = this.ledger;
    const input = resolveNodeInput(instance, states, this.claimed.override);
    const round = this.finishedRound(instance, states);
    const pairing = createPairing(instance, states, NO_PARSED_LISTS);
    return {
      input,
      nodes: instance.graphScope.values,
      runInput: this.claimed.input,
      child,
      round,
      item: readItemScope(instance, states, undefined, pairing),
      pairing,
      release: NO_LOADED_VALUES.release,
    };
  }

  /** The values that a node reads, including large values, which are loaded. */
  async resolveLarge(instance: NodeInstance, signal: AbortSignal): Promise<ResolvedInput> {
    const refs = this.offloadedRefs(instance);
    if (!refs) return this.resolve(instance, NO_LOADED_VALUES);
    const loadedValues = await loadOffloadedValues(this.claimed, refs, signal);
    const shares = await loadPortShares(instance, this.ledger.states, loadedValues);
    return this.resolve(
      instance,
      loadedValues,
      shares,
      await parsePairedLists(instance, this.ledger.states, loadedValues),
    );
  }

  /** True if an output of a graph has to be loaded. Throws NodeFailure when the outputs are too large together. */
  hasOffloaded(graph: WorkflowGraph, prefixes: string[]): boolean {
    const states = prefixes.flatMap((prefix) => findLeafStates(graph, this.ledger.states, prefix));
    requireCombinedSize(states);
    return states.some(isOutputOffloaded);
  }

  /** The outputs of a graph under each of these prefixes. */
  async outputs(graph: WorkflowGraph, prefixes: string[], until: StoppableWork): Promise<unknown[]> {
    const paths = prefixes.flatMap((prefix) =>
      findLeafStates(graph, this.ledger.states, prefix).map(({ path }) => path),
    );
    const refs = this.offloadedOutputs(paths);
    const loadedValues =
      refs.outputs.length > 0 ? await loadOffloadedValues(this.claimed, refs, until.signal) : NO_LOADED_VALUES;
    try {
      const states = this.withLoadedOutputs(loadedValues);
      return prefixes.map((prefix) => buildGraphOutput(graph, states, prefix));
    } finally {
      loadedValues.release();
    }
  }

  /** The outputs of all rounds of a loop that has collected them, of which only the last rounds are in memory. */
  async collectedOutputs(
    graph: WorkflowGraph,
    prefixes: string[],
    bytes: number,
    until: StoppableWork,
  ): Promise<unknown[]> {
    const leaves = await this.loadRoundLeaves(graph, prefixes, until);
    const refs = { outputs: [...leaves.keys()], isInput: false, childId: null, item: null, itemsOf: null, bytes };
    const loadedValues = await loadOffloadedValues(this.claimed, refs, until.signal);
    try {
      const get = (path: string) => toCompletedLeafState(path, leaves.get(path), loadedValues.outputs);
      return prefixes.map((prefix) => buildGraphOutput(graph, { get }, prefix));
    } finally {
      loadedValues.release();
    }
  }

  /** The paths of the leaves of finished rounds, with the ports that they took. */
  private async loadRoundLeaves(
    graph: WorkflowGraph,
    prefixes: string[],
    until: StoppableWork,
  ): Promise<Map<string, TakenPorts>> {
    const nodes = possibleLeaves(graph);
    const paths = new Map(prefixes.flatMap((prefix) => nodes.map((node) => [prefix + node.id, node] as const)));
    const ports = await loadTakenPorts(this.claimed.id, [...paths.keys()], until.signal);
    const isLeaf = ([path, taken]: [string, TakenPorts]) => {
      const node = paths.get(path);
      return node !== undefined && (graph.output.kind === 'node' || isLeafNode(node, taken));
    };
    return new Map([...ports].filter(isLeaf));
  }

  /** The current round of a loop that judges its rounds. The loop is attempted only when that round has finished. */
  private finishedRound(instance: NodeInstance, states: NodeStateReader): FinishedLoopRound | undefined {
    const { graphNode: node, path } = instance;
    const loop = node.body && states.get(path);
    const progress = loop?.status === 'looping' ? readLoopRounds(loop)?.repetition : undefined;
    const graph = progress && resolveRoundGraph(instance, progress.round, states);
    if (!progress || !graph) return undefined;
    return { progress, output: buildGraphOutput(graph, states, roundPathPrefix(instance, progress.round)) };
  }

  private childEnd({ path }: NodeInstance): EndedChildRun | undefined {
    return this.ends.get(startedChildId(this.ledger.states.get(path)) ?? '');
  }

  private resolve(
    instance: NodeInstance,
    loadedValues: LoadedValues,
    shares: LoadedShares = new Map(),
    lists: ParsedLists = NO_PARSED_LISTS,
  ): ResolvedInput {
    const states = this.withLoadedOutputs(loadedValues, shares);
    const nodes = { ...instance.graphScope.values };
    for (const [id, path] of this.largeReferences(instance)) {
      const state = states.get(path);
      if (state) setField(nodes, id, finishedNodeValue(state));
    }
    const end = this.childEnd(instance);
    const child = end?.status === 'completed' && end.largeBytes !== null ? { ...end, output: loadedValues.child } : end;
    const runInput = this.claimed.inputBytes === null ? this.claimed.input : loadedValues.input;
    const withInput = this.withLoadedInput(instance, loadedValues);
    const input = resolveNodeInput(withInput, states, this.claimed.override);
    const round = this.finishedRound(instance, states);
    const pairing = createPairing(instance, states, lists);
    const item = readItemScope(withInput, states, loadedValues.items, pairing);
    return { input, nodes, runInput, child, round, item, pairing, release: loadedValues.release };
  }

  /** The states, with the loaded outputs. */
  private withLoadedOutputs({ outputs }: LoadedValues, shares: LoadedShares = new Map()): NodeStateReader {
    const { states } = this.ledger;
    if (outputs.size === 0) return states;
    const get = (path: string) => {
      const state = states.get(path);
      return state?.status === 'completed' && state.isOffloaded && outputs.has(path)
        ? { ...state, output: outputs.get(path), isOffloaded: false, loadedShares: shares.get(path) }
        : state;
    };
    return { get };
  }

  /** The instance with the loaded input of its round or run. */
  private withLoadedInput(instance: NodeInstance, loadedValues: LoadedValues): NodeInstance {
    const { graphNode: node, graphScope } = instance;
    if (this.claimed.inputBytes !== null && node.isRoot && !graphScope.owner)
      return { ...instance, graphScope: { ...graphScope, input: loadedValues.input } };
    const needed = findOffloadedItem(instance, this.ledger.states);
    if (!needed) return instance;
    const { holder, loop, index } = needed;
    const [item = loadedValues.item] = findCachedItem(this.claimed.id, loop, index);
    return withRoundItem(instance, holder, item);
  }

  private isInputNeeded({ graphNode: node, graphScope }: NodeInstance): boolean {
    return this.claimed.inputBytes !== null && ((node.isRoot && !graphScope.owner) || mayReferenceRunInput(node));
  }

  private offloadedOutputs(paths: Iterable<string>): OffloadedRefs {
    const { states } = this.ledger;
    const outputs = [...new Set(paths)].filter((path) => isOutputOffloaded(states.get(path)));
    const bytes = outputs.reduce((sum, path) => sum + (largeOutputBytes(states.get(path)) ?? 0), 0);
    return { outputs, isInput: false, childId: null, item: null, itemsOf: null, bytes };
  }

  /** References to the values that a node reads and that have to be loaded; null: none. */
  private offloadedRefs(instance: NodeInstance): OffloadedRefs | null {
    const { graphNode: node, path } = instance;
    const { states } = this.ledger;
    const senders = mayReferenceInput(node) ? findDeliveredStates(instance, states).map((state) => state.path) : [];
    const rounds = node.body && readLoopRounds(states.get(path));
    const graph = rounds?.repetition && resolveRoundGraph(instance, rounds.count - 1, states);
    const judged = rounds && graph ? findLeafStates(graph, states, roundPathPrefix(instance, rounds.count - 1)) : [];
    const owner = findPairingOwner(instance);
    const paired = owner ? listPairedPaths(owner, states) : [];
    const named = [...this.largeReferences(instance).values(), ...paired];
    const { outputs, bytes } = this.offloadedOutputs([...senders, ...judged.map((state) => state.path), ...named]);
    const needed = findOffloadedItem(instance, this.ledger.states);
    const item = needed && findCachedItem(this.claimed.id, needed.loop, needed.index).length === 0 ? needed : null;
    const end = this.childEnd(instance);
    const childId = end && end.largeBytes !== null ? end.executionId : null;
    const isInput = this.isInputNeeded(instance);
    const itemsOf = needed && mayReferenceName(node, 'items') ? needed.loop : null;
    if (outputs.length === 0 && !item && itemsOf === null && childId === null && !isInput) return null;
    const more =
      (item?.bytes ?? 0) +
      (itemsOf === null ? 0 : (needed?.bytes ?? 0)) +
      (end?.largeBytes ?? 0) +
      (isInput ? (this.claimed.inputBytes ?? 0) : 0);
    return { outputs, isInput, item, itemsOf, childId, bytes: bytes + more };
  }

  /** Paths of large outputs that a node's config may read, by node id; inner scopes shadow outer ones. */
  private largeReferences({ graphNode: node, graphScope }: NodeInstance): Map<string, string> {
    const found = new Map<string, string>();
    for (let at: typeof graphScope | undefined = graphScope; at; at = at.owner?.graphScope) {
      for (const { id, part, itemOf } of at.graph.nodes) {
        const path = at.prefix + id;
        if (part || itemOf || found.has(id) || !largeOutputBytes(this.ledger.states.get(path))) continue;
        if (mayReferenceNode(node, id)) found.set(id, path);
      }
    }
    return found;
  }
}

/** A state for a loaded output: a leaf of a finished round that was not skipped has completed. */
const toCompletedLeafState = (path: string, taken: TakenPorts | undefined, outputs: ReadonlyMap<string, unknown>) =>
  taken && outputs.has(path) ? ({ status: 'completed', ...taken, output: outputs.get(path) } as const) : undefined;
