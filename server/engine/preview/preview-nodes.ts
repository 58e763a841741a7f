import { MAX_PREVIEW_OUTPUT, type PreviewedNode, type PreviewNodesRequest } from '@/contract/workflows/node-preview';
import type { RunError } from '@/contract/execution';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { isLargeJson } from '@/server/evaluation/expressions/large-json';
import { setField, type RunScope } from '@/server/evaluation/expressions/scope';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { ALWAYS_CERTAIN } from '@/server/platform/timers/lease-clock';
import { compileGraph, type GraphNode } from '@/server/workflow/definition/graph';
import { definitionsByNodeType, findNodeType } from '@/server/workflow/nodes';
import { mayRunForEach } from '@/server/workflow/nodes/each';
import { executeAttempt } from '../attempt/attempt';
import type { AttemptScope } from '../attempt/context';
import { resolveTestBehaviour } from '../attempt/mocks';
import type { AttemptOutcome } from '../attempt/outcome';
import { SecretRedactor } from '../attempt/secret-redactor';
import { buildDeliveredInput, finishedNodeValue } from '../store/deliveries';
import { countPortShares } from '../store/port-shares';
import { takesOutputPort, type CompletedNode, type FailedNode, type FinishedNode } from '../store/state';
import { createTraceBudget } from '../store/trace';
import { normalizeValue } from '../store/value';

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
  // Where an item came from is stored by a run.
  const isTraced = JSON.stringify([config, each]).includes('paired');
  return resolveTestBehaviour(kind) !== 'mock' && (!isOutside || kind.startsEarly === true) && !isTraced;
}

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

const completedState = (path: string, part: Pick<CompletedNode, 'port' | 'shares' | 'output'>): CompletedNode => ({
  ...PREVIEW_HISTORY,
  path,
  status: 'completed',
  resumeData: null,
  largeBytes: null,
  isOffloaded: false,
  ...part,
});

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
  const { known, connections, language } = request;
  const nodes = request.nodes.map((node) => {
    const { id, position } = node;
    if (Object.hasOwn(known, id) || !isComputedNode(node)) return { id, type: STOPPED_TYPE, position, config: {} };
    // What passes its input on after a time does so at once, as a node does that is turned off.
    return resolveTestBehaviour(findNodeType(node.type)) === 'pass' ? { ...node, disabled: true } : node;
  });
  const graph = compileGraph({ nodes, connections, language }, definitionsByNodeType);
  const preview = new Preview(request, place);
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
  private outputLeft = MAX_PREVIEW_OUTPUT;

  constructor(
    private readonly request: PreviewNodesRequest,
    private readonly place: PreviewPlace,
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
    for (const [id, { output, port }] of Object.entries(known)) {
      const { value } = normalizeValue(output);
      this.finish(completedState(id, { port, output: value }));
    }
  }

  async compute(node: GraphNode): Promise<void> {
    const { id } = node;
    if (this.states.has(id)) return;
    const sources = node.incoming.map(({ source }) => source.id);
    // What comes in is not known.
    if (sources.some((source) => !this.states.has(source) && !this.skipped.has(source))) return;
    const isDue =
      node.isRoot || node.incoming.some(({ source, port }) => takesOutputPort(this.states.get(source.id), port));
    if (!isDue) {
      this.skipped.add(id);
      this.results.push({ nodeId: id, status: 'skipped', error: null });
      return;
    }
    if (!node.nodeType) return this.stop(id, 'stopped');
    if (this.outputLeft <= 0 || this.place.signal.aborted) return this.stop(id, 'omitted');
    this.add(node, await this.attempt(node));
  }

  private stop(nodeId: string, status: 'stopped' | 'omitted'): void {
    this.results.push({ nodeId, status, error: null });
  }

  private finish(state: FinishedNode): void {
    this.states.set(state.path, state);
    setField(this.values, state.path, finishedNodeValue(state));
  }

  private attempt(node: GraphNode): AttemptOutcome | Promise<AttemptOutcome> {
    const { input: runInput, vars, timeZone } = this.request;
    const input = buildDeliveredInput(node, this.states, runInput ?? null);
    return executeAttempt({
      run: this.run,
      node,
      path: node.id,
      attemptNumber: 1,
      scope: { input, nodes: { ...this.values }, execution: this.execution, vars },
      timeZone,
      until: this.place,
      decision: undefined,
      call: undefined,
      waitingSince: undefined,
      child: undefined,
      round: undefined,
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
    const { json, value, port, shares } = outcome;
    this.outputLeft -= json.length;
    if (this.outputLeft < 0) return this.stop(nodeId, 'omitted');
    this.finish(completedState(nodeId, { port: shares ? null : port, shares, output: value }));
    const output: unknown = isLargeJson(value) ? JSON.parse(value.text) : value;
    const ports = shares && countPortShares(shares);
    this.results.push({ nodeId, status: 'completed', output, ...(ports ? { ports } : { port }), error: null });
  }
}
