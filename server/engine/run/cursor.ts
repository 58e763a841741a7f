import { outerFrame, roundFrame, instanceIn, type Frame, type NodeInstance } from './frame';
import type { Graph } from '@/server/workflow/graph';
import type { Failure } from './settle';
import { isToBeRetried, roundsOf, type Rounds, type States } from '../store/state';

/** The next nodes of a run, in its own graph and in every round of its loops. */
export interface NextSteps {
  ready: NodeInstance[];
  /** Nodes that are running or waiting, except loops. */
  open: NodeInstance[];
  /** Loops with unfinished rounds. */
  openLoops: NodeInstance[];
  /** Loops whose rounds have all finished. */
  finishedLoops: FinishedLoop[];
  isFinished: boolean;
}

/** A loop whose rounds have all finished: its body, and the prefixes of its rounds. */
export interface FinishedLoop {
  instance: NodeInstance;
  body: Graph;
  prefixes: string[];
}

/** A loop in progress. */
interface Loop {
  /** Unfinished rounds, by index. */
  live: Map<number, Frame>;
  /** The index of the next round to start. */
  next: number;
}

/** The position of a run: its own graph, and the rounds of its loops. */
export class RunCursor {
  readonly outer: Frame;
  private readonly loops = new Map<string, Loop>();

  constructor(
    graph: Graph,
    input: unknown,
    private readonly states: States,
  ) {
    this.outer = outerFrame(graph, input, states);
  }

  next(): NextSteps {
    const found: NextSteps = { ready: [], open: [], openLoops: [], finishedLoops: [], isFinished: false };
    found.isFinished = this.scanFrame(this.outer, found);
    return found;
  }

  /** Drops the rounds of a loop that has ended. */
  forget(path: string): void {
    this.loops.delete(path);
  }

  /** Collects the next nodes of a frame. True: the frame is finished. */
  private scanFrame(frame: Frame, found: NextSteps): boolean {
    const { ready, open, isFinished } = frame.plan.refresh();
    for (const node of ready) found.ready.push(instanceIn(frame, node));
    for (const node of open) {
      const instance = instanceIn(frame, node);
      const state = this.states.get(instance.path);
      const rounds = state && !isToBeRetried(state) ? roundsOf(state) : undefined;
      if (rounds && node.body) this.scanLoop(instance, node.body, rounds, found);
      else found.open.push(instance);
    }
    return isFinished;
  }

  private scanLoop(instance: NodeInstance, body: Graph, rounds: Rounds, found: NextSteps): void {
    const loop = this.loops.get(instance.path) ?? { live: new Map<number, Frame>(), next: 0 };
    this.loops.set(instance.path, loop);
    const { count, concurrency } = rounds;
    const begin = () => {
      while (loop.live.size < concurrency && loop.next < count) {
        // A round may have been started by another worker: its frame is built from the stored states.
        loop.live.set(loop.next, roundFrame(instance, body, rounds, loop.next, this.states));
        loop.next += 1;
      }
    };
    begin();
    // Rounds that start during the iteration are visited by it.
    for (const [index, frame] of loop.live) {
      if (!this.scanFrame(frame, found)) continue;
      loop.live.delete(index);
      begin();
    }
    if (loop.live.size > 0) found.openLoops.push(instance);
    else
      found.finishedLoops.push({
        instance,
        body,
        prefixes: Array.from({ length: count }, (_, index) => `${instance.path}[${index}].`),
      });
  }
}

/** The failure of a loop: that of its round, with the node where it occurred. */
export const roundFailed = ({ error: { code, message, nodeId, expression }, isRetriable }: Failure) =>
  ({ kind: 'failed', code, message, nodeId: nodeId ?? undefined, expression, isRetriable, retryAfterMs: 0 }) as const;
