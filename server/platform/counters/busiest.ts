import { OTHER_LABEL } from './family';

interface BusiestNamesOptions {
  /** Names that have a series of their own. */
  limit: number;
  /** How often the ranks are computed anew, in milliseconds. */
  windowMs?: number;
  /** Most names that are remembered between two rankings. */
  maxTracked?: number;
  /** A name has lost its series: it counts as `other` from now on. */
  onLoss: (name: string) => void;
}

/** A name replaces one with a series if it is busier by this factor, so that two of the same rate do not alternate. */
const REPLACEMENT_FACTOR = 1.5;

/**
 * Which of many names get series of their own: the busiest ones. The scores are halved with each window, so that the
 * last minutes count most. A name without a series counts as `other`; what it has counted there stays there, so that no
 * counter ever falls.
 */
export class BusiestNames {
  private readonly scores = new Map<string, number>();
  private readonly own = new Set<string>();
  private rankedAt: number | undefined;
  private readonly limit: number;
  private readonly windowMs: number;
  private readonly maxTracked: number;
  private readonly onLoss: (name: string) => void;

  constructor({ limit, windowMs = 60_000, maxTracked = 1000, onLoss }: BusiestNamesOptions) {
    this.limit = limit;
    this.windowMs = windowMs;
    this.maxTracked = maxTracked;
    this.onLoss = onLoss;
  }

  /** Counts one event of a name, at `now` milliseconds. Returns the label to count it under. */
  labelOf(name: string, now = performance.now()): string {
    this.rankedAt ??= now;
    if (now - this.rankedAt >= this.windowMs) {
      this.rank();
      this.rankedAt = now;
    }
    const score = this.scores.get(name);
    // Misra-Gries: many names with few events each can not push the busy ones out.
    if (score === undefined && this.scores.size >= this.maxTracked) this.halve();
    this.scores.set(name, (score ?? 0) + 1);
    if (this.own.has(name)) return name;
    if (this.own.size >= this.limit) return OTHER_LABEL;
    this.own.add(name);
    return name;
  }

  private rank(): void {
    const score = (name: string) => (this.scores.get(name) ?? 0) * (this.own.has(name) ? REPLACEMENT_FACTOR : 1);
    const ranked = [...new Set([...this.scores.keys(), ...this.own])].sort((one, other) => score(other) - score(one));
    const first = new Set(ranked.slice(0, this.limit));
    for (const name of this.own) {
      if (first.has(name)) continue;
      this.own.delete(name);
      this.onLoss(name);
    }
    for (const name of first) this.own.add(name);
    this.halve();
  }

  private halve(): void {
    for (const [name, score] of this.scores) {
      if (score < 2) this.scores.delete(name);
      else this.scores.set(name, score / 2);
    }
  }
}
