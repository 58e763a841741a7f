import { isDeepStrictEqual } from 'node:util';
import { MAX_PREVIEW_OUTPUT, type PreviewedNode, type PreviewNodesRequest } from '@/contract/workflows/node-preview';
import type { RunError } from '@/contract/execution';
import { readItemListReference } from '@/contract/workflows/item-list';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { isLargeJson, serializeJson } from '@/server/evaluation/expressions/large-json';
import { setField, type RunScope } from '@/server/evaluation/expressions/scope';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { ALWAYS_CERTAIN } from '@/server/platform/timers/lease-clock';
import { compileGraph, type GraphNode, type WorkflowGraph } from '@/server/workflow/definition/graph';
import { definitionsByNodeType, findNodeType } from '@/server/workflow/nodes';
import { mayRunForEach } from '@/server/workflow/nodes/each';
import { executeAttempt } from '../attempt/attempt';
import type { AttemptScope } from '../attempt/context';
import { resolveTestBehaviour } from '../attempt/mocks';
import type { AttemptOutcome } from '../attempt/outcome';
import { SecretRedactor } from '../attempt/secret-redactor';
import { describePrelude } from '../run/attempt-runner';
import { createNodeInstance, createOuterScope, type GraphScope } from '../run/graph-scope';
import {
  createPairing,
  findListExpression,
  findPairingOwner,
  listPairedPaths,
  NO_PARSED_LISTS,
} from '../run/values/paired-items';
import { buildDeliveredInput, finishedNodeValue } from '../store/deliveries';
import { countPortShares } from '../store/port-shares';
import { takesOutputPort, type CompletedNode, type FailedNode, type FinishedNode } from '../store/state';
import { createTraceBudget } from '../store/trace';
import { normalizeValue, type NormalizedValue } from '../store/value';

/** What a preview needs besides its request. */
interface PreviewPlace {
  workspaceId: string;
  signal: AbortSignal;
}

/** The type of nodes that do not run: no server has it. */
const STOPPED_TYPE = '';

/** Whether a node only computes: it calls nothing, waits for nothing, uses no object of the workspace. */
function isComputedNode({ type, config, credentialId, disabled, each }: WorkflowNode): boolean {
  const kind = findNodeType(type);
  if (!kind || kind.inner !== undefined || kind.parts || credentialId !== undefined) return false;
  if (kind.table || kind.connectorField || (each && !mayRunForEach(kind))) return false;
  if (disabled) return true;
  const isOutside = typeof kind.isOutside === 'function' ? kind.isOutside(config) : kind.isOutside;
  return resolveTestBehaviour(kind) !== 'mock' && (!isOutside || kind.startsEarly === true);
}

/** Whether a run stores of a node where each item of its output came from. */
const hasItemOrigins = (node: WorkflowNode): boolean =>
  node.each !== undefined || (findNodeType(node.type)?.hasInput !== false && isComputedNode(node));

/** The scope of attempts that belong to no run, and reach nothing but the evaluator processes. */
const previewAttemptScope = (workspaceId: string): AttemptScope => {
  const refuse = () => Promise.reject(new NodeFailure('CONFIG', 'A preview only computes.', false));
  return {
    workspaceId,
    // Computations name no objects, so that nobody's permissions are asked for.
    version: { pollId: '' },
    lease: ALWAYS_CERTAIN,
    redactor: new SecretRedactor(),
    attemptLog: { traceBudget: createTraceBudget(), reserve: refuse, log: () => undefined },
    roundResults: refuse,
    startChild: refuse,
    commitChange: refuse,
  };
};

const PREVIEW_TIME = new Date(0);
const PREVIEW_HISTORY = { attemptNumber: 1, attempts: [], startedAt: PREVIEW_TIME, completedAt: PREVIEW_TIME };

const completedState = (
  path: string,
  part: Pick<CompletedNode, 'port' | 'shares' | 'origins' | 'output'>,
): CompletedNode => ({
  ...PREVIEW_HISTORY,
  path,
  status: 'completed',
  resumeData: null,
  largeBytes: null,
  isOffloaded: false,
  ...part,
});

const parseOutput = (value: unknown): unknown => (isLargeJson(value) ? JSON.parse(value.text) : value);

/** Whether an outcome is the known output. Only one of its length is read: the other one has the size of the request. */
const isSameOutput = ({ json, value }: NormalizedValue, known: unknown): boolean =>
  json.length === (serializeJson(known) ?? 'null').length && isDeepStrictEqual(parseOutput(value), parseOutput(known));

/** A known output as a run stores it. Throws 400 for one that a run refuses. */
function normalizeKnownOutput(nodeId: string, output: unknown): unknown {
  try {
    return normalizeValue(output).value;
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    throw invalidFieldProblem(`known.${nodeId}.output`, `is none that a run stores: ${error.message}`);
  }
}

const failedState = (path: string, error: RunError): FailedNode => ({
  ...PREVIEW_HISTORY,
  path,
  status: 'failed',
  resumeData: null,
  port: 'error',
  error,
});

/**
 * Computes nodes on data as a run does, with the limits of a run for each. Nothing outside is called and nothing is
 * stored: a node that would do so stops the preview of what follows from it.
 */
export async function previewNodes(request: PreviewNodesRequest, place: PreviewPlace): Promise<PreviewedNode[]> {
  const { connections, language, prelude } = request;
  const nodes = request.nodes.map((node) => {
    const { id, name, position } = node;
    if (!isComputedNode(node)) return { id, name, type: STOPPED_TYPE, position, config: {} };
    // What passes its input on after a time does so at once, as a node does that is turned off.
    return resolveTestBehaviour(findNodeType(node.type)) === 'pass' ? { ...node, disabled: true } : node;
  });
  const graph = compileGraph({ nodes, connections, language, prelude }, definitionsByNodeType);
  const preview = new Preview(request, place, graph);
  for (const node of graph.nodes) await preview.compute(node);
  return preview.results;
}

class Preview {
  readonly results: PreviewedNode[] = [];
  /** The nodes with an end; others are not known. */
  private readonly states = new Map<string, FinishedNode>();
  private readonly skipped = new Set<string>();
  private readonly values: Record<string, unknown> = {};
  private readonly run: AttemptScope;
  private readonly execution: RunScope;
  private readonly scope: GraphScope;
  /** The known nodes of which only a run can tell where their items came from. */
  private readonly untraced: Set<string>;
  private outputLeft = MAX_PREVIEW_OUTPUT;

  constructor(
    private readonly request: PreviewNodesRequest,
    private readonly place: PreviewPlace,
    graph: WorkflowGraph,
  ) {
    this.run = previewAttemptScope(place.workspaceId);
    const { known, input, execution } = request;
    this.execution = {
      id: '',
      workflowId: '',
      input: input ?? null,
      trigger: { kind: 'manual', id: null, name: null },
      resumeUrls: {},
      ...execution,
    };
    for (const [id, { output, port }] of Object.entries(known))
      this.finish(completedState(id, { port, output: normalizeKnownOutput(id, output) }));
    this.scope = createOuterScope(graph, input ?? null, this.states);
    const traced = request.nodes.filter((node) => this.states.has(node.id) && hasItemOrigins(node));
    this.untraced = new Set(traced.map(({ id }) => id));
  }

  async compute(node: GraphNode): Promise<void> {
    const { id } = node;
    const isKnown = this.states.has(id);
    const sources = node.incoming.map(({ source }) => source.id);
    // What comes in is not known.
    if (sources.some((source) => !this.states.has(source) && !this.skipped.has(source))) return;
    const isDue =
      (isKnown && sources.length === 0) ||
      node.isRoot ||
      node.incoming.some(({ source, port }) => takesOutputPort(this.states.get(source.id), port));
    if (!isDue) return this.skip(id);
    if (isKnown) return this.traceKnown(node);
    if (!node.nodeType || this.needsUnknownOrigins(node)) return this.stop(id, 'stopped');
    if (this.outputLeft <= 0 || this.place.signal.aborted) return this.stop(id, 'omitted');
    this.add(node, await this.attempt(node));
  }

  /** A known output counts only if something comes in. */
  private skip(nodeId: string): void {
    this.states.delete(nodeId);
    delete this.values[nodeId];
    this.skipped.add(nodeId);
    this.results.push({ nodeId, status: 'skipped', error: null });
  }

  private stop(nodeId: string, status: 'stopped' | 'omitted'): void {
    this.results.push({ nodeId, status, error: null });
  }

  private finish(state: FinishedNode): void {
    this.states.set(state.path, state);
    setField(this.values, state.path, finishedNodeValue(state));
  }

  /**
   * Finds where the items of a known node came from: it is computed anew, which says it if the outcome is the same.
   */
  private async traceKnown(node: GraphNode): Promise<void> {
    const { id, nodeType, isTraced, isRoot, incoming } = node;
    const before = this.states.get(id);
    if (!isTraced || !nodeType || !this.untraced.has(id) || before?.status !== 'completed') return;
    if (!isRoot && incoming.length === 0) return;
    const outcome = this.place.signal.aborted ? undefined : await this.attempt(node);
    if (outcome?.kind !== 'done' || !isSameOutput(outcome, before.output)) return;
    this.states.set(id, { ...before, origins: outcome.origins });
    this.untraced.delete(id);
  }

  /** Whether expressions read items that only a run can find, because a list before them was not computed here. */
  private needsUnknownOrigins(node: GraphNode): boolean {
    const owner = findPairingOwner(createNodeInstance(this.scope, node));
    if (!owner) return false;
    const paths = [node.id, ...listPairedPaths(owner, this.states)];
    return paths.some((path) => this.untraced.has(path) || this.readsForeignList(path));
  }

  /** Whether a node works on the list of a node that is none of these. */
  private readsForeignList(id: string): boolean {
    const node = this.scope.graph.byId.get(id);
    const list = node && findListExpression(node);
    const reference = list === undefined ? undefined : readItemListReference(list);
    return reference?.kind === 'node' && !this.scope.graph.byId.has(reference.id);
  }

  private attempt(node: GraphNode): AttemptOutcome | Promise<AttemptOutcome> {
    const { input: runInput, vars, timeZone } = this.request;
    const instance = createNodeInstance(this.scope, node);
    const input = buildDeliveredInput(node, this.states, runInput ?? null);
    return executeAttempt({
      run: this.run,
      node,
      path: node.id,
      attemptNumber: 1,
      scope: {
        input,
        nodes: { ...this.values },
        execution: this.execution,
        vars,
        ...describePrelude(instance, { workflowId: this.execution.workflowId, trigger: { kind: 'manual' } }),
      },
      timeZone,
      until: this.place,
      decision: undefined,
      call: undefined,
      waitingSince: undefined,
      child: undefined,
      round: undefined,
      pairing: createPairing(instance, this.states, NO_PARSED_LISTS),
    });
  }

  private add({ id: nodeId, outgoing }: GraphNode, outcome: AttemptOutcome): void {
    if (outcome.kind === 'failed') {
      if (this.place.signal.aborted) return this.stop(nodeId, 'omitted');
      const { code, message, expression, parameters } = outcome;
      const error = { code, message, nodeId, expression, parameters };
      this.results.push({ nodeId, status: 'failed', error });
      // Without a way for errors the run would end here.
      if (outgoing.some(({ port }) => port === 'error')) this.finish(failedState(nodeId, error));
      return;
    }
    if (outcome.kind !== 'done') return this.stop(nodeId, 'stopped');
    const { json, value, port, shares, origins } = outcome;
    this.outputLeft -= json.length;
    if (this.outputLeft < 0) return this.stop(nodeId, 'omitted');
    this.finish(completedState(nodeId, { port: shares ? null : port, shares, origins, output: value }));
    const output = parseOutput(value);
    const ports = shares && countPortShares(shares);
    this.results.push({ nodeId, status: 'completed', output, ...(ports ? { ports } : { port }), error: null });
  }
}
