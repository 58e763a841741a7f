import { finishedNodeValue } from '../store/deliveries';
import type { EvaluationContext } from '@/server/evaluation/evaluator/evaluation';
import type { WorkflowGraph } from '@/server/workflow/definition/graph';
import type { EachRules } from '@/server/workflow/nodes/each-loop';
import { ItemOutputList } from '../attempt/each-outcome';
import { toOutputOutcome, type AttemptOutcome } from '../attempt/outcome';
import type { SecretRedactor } from '../attempt/secret-redactor';
import type { StoppableWork } from '../load/stop';
import type { FinishedLoop } from './cursor';
import { roundPathPrefix } from './graph-scope';
import type { RunStateStore } from './ledger';
import type { InputResolver } from './values/input-resolver';

/** Reads the outputs of graphs and of loops whose nodes have all finished. */
export class LoopOutputReader {
  constructor(
    private readonly inputs: InputResolver,
    private readonly ledger: RunStateStore,
    private readonly writePending: () => Promise<unknown>,
    private readonly until: StoppableWork,
  ) {}

  /** The outputs of a graph under each of these prefixes. Throws NodeFailure when they are too large together. */
  async readGraphOutputs(graph: WorkflowGraph, prefixes: string[]): Promise<unknown[]> {
    if (this.inputs.hasOffloaded(graph, prefixes) && this.ledger.hasPendingWrites) await this.writePending();
    return this.inputs.outputs(graph, prefixes, this.until);
  }

  /** The outcome of a loop whose rounds have all finished. Throws NodeFailure. */
  async readLoopOutcome(
    loop: FinishedLoop,
    redactor: SecretRedactor,
    purpose: () => EvaluationContext,
  ): Promise<AttemptOutcome> {
    const { each } = loop.instance.graphNode;
    if (!each) return toOutputOutcome(await this.readLoopOutput(loop), redactor, purpose);
    const outputs = await this.readItemOutputs(loop, each);
    return outputs.toOutcome(
      { count: loop.rounds.count, isTraced: loop.instance.graphNode.isTraced },
      redactor,
      purpose,
    );
  }

  /**
   * The outputs of the items of a node with `each`, with errors in the place of failed ones unless they are left out.
   */
  private async readItemOutputs(
    { instance, body, rounds: { count } }: FinishedLoop,
    each: EachRules,
  ): Promise<ItemOutputList> {
    const paths = Array.from({ length: count }, (_, index) => roundPathPrefix(instance, index));
    const values = await this.readGraphOutputs(body, paths);
    const outputs = new ItemOutputList(each);
    for (const [index, path] of paths.entries()) {
      const state = this.ledger.states.get(path);
      if (state?.status === 'completed') await outputs.add(state.port ?? each.firstPort, values[index], index);
      else if (state && each.onError === 'continue') await outputs.addError(finishedNodeValue(state), index);
    }
    return outputs;
  }

  private async readLoopOutput({ instance, body, rounds: { count, repetition } }: FinishedLoop): Promise<unknown> {
    const prefixes = (first: number) =>
      Array.from({ length: count - first }, (_, index) => roundPathPrefix(instance, first + index));
    if (!repetition) return this.readGraphOutputs(body, prefixes(0));
    const { collected = 0, end } = repetition;
    if (!end?.isCollected) {
      const [last] = await this.readGraphOutputs(body, prefixes(count - 1));
      return { rounds: count, last, isDone: end?.isDone === true };
    }
    if (this.ledger.hasPendingWrites) await this.writePending();
    const outputs = await this.inputs.collectedOutputs(body, prefixes(0), collected, this.until);
    return { rounds: count, last: outputs.at(-1), isDone: end.isDone, outputs };
  }
}
