import { outerFrame, roundFrame, spotIn, type Frame, type Spot } from './frame';
import type { Graph } from './graph';
import type { Failure } from './settle';
import { isToBeRetried, roundsOf, type Rounds, type States } from './state';

/** How a run goes on, in its own graph and in every round of its loops. */
export interface Survey {
  ready: Spot[];
  /** Under way or waiting; loops apart. */
  open: Spot[];
  /** Loops with rounds that are not over. */
  looping: Spot[];
  /** Loops whose rounds are all over. */
  looped: Looped[];
  isFinished: boolean;
}

/** A loop at its end: what runs in its rounds, and their prefixes. */
export interface Looped {
  spot: Spot;
  body: Graph;
  prefixes: string[];
}

/** A loop under way. */
interface Loop {
  /** Those under way, by index. */
  live: Map<number, Frame>;
  /** The next to begin. */
  next: number;
}

/** What is under way of a run: its own graph, and the rounds of its loops. */
export class Course {
  readonly outer: Frame;
  private readonly loops = new Map<string, Loop>();

  constructor(
    graph: Graph,
    input: unknown,
    private readonly states: States,
  ) {
    this.outer = outerFrame(graph, input, states);
  }

  survey(): Survey {
    const found: Survey = { ready: [], open: [], looping: [], looped: [], isFinished: false };
    found.isFinished = this.look(this.outer, found);
    return found;
  }

  /** Loops that are over have no rounds. */
  forget(path: string): void {
    this.loops.delete(path);
  }

  /** True when nothing is left to do in this frame. */
  private look(frame: Frame, found: Survey): boolean {
    const { ready, open, isFinished } = frame.front.look();
    for (const node of ready) found.ready.push(spotIn(frame, node));
    for (const node of open) {
      const spot = spotIn(frame, node);
      const state = this.states.get(spot.path);
      const rounds = state && !isToBeRetried(state) ? roundsOf(state) : undefined;
      if (rounds && node.body) this.lookInto(spot, node.body, rounds, found);
      else found.open.push(spot);
    }
    return isFinished;
  }

  private lookInto(spot: Spot, body: Graph, rounds: Rounds, found: Survey): void {
    const loop = this.loops.get(spot.path) ?? { live: new Map<number, Frame>(), next: 0 };
    this.loops.set(spot.path, loop);
    const { count, concurrency } = rounds;
    const begin = () => {
      while (loop.live.size < concurrency && loop.next < count) {
        // Begun in another hands' time, or just now: its rows tell.
        loop.live.set(loop.next, roundFrame(spot, body, rounds, loop.next, this.states));
        loop.next += 1;
      }
    };
    begin();
    // Rounds that begin meanwhile are visited by the same iteration.
    for (const [index, frame] of loop.live) {
      if (!this.look(frame, found)) continue;
      loop.live.delete(index);
      begin();
    }
    if (loop.live.size > 0) found.looping.push(spot);
    else
      found.looped.push({
        spot,
        body,
        prefixes: Array.from({ length: count }, (_, index) => `${spot.path}[${index}].`),
      });
  }
}

/** What fails a loop: its round's failure, which keeps its own place. */
export const roundFailed = ({ error: { code, message, nodeId, expression }, isRetriable }: Failure) =>
  ({ kind: 'failed', code, message, nodeId: nodeId ?? undefined, expression, isRetriable, retryAfterMs: 0 }) as const;
