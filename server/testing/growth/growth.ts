import { measureCost, measureSlowness, type Cost } from './processor-time';

/** One way to make the service work, in any size. */
export interface HostileInput {
  name: string;
  /** The largest size that is accepted, as a rule in bytes. */
  largest: number;
  /**
   * Prepares an input of this size. What is returned hands it to the service and resolves when the service is done with
   * it.
   */
  prepare(size: number): Promise<() => Promise<unknown>> | (() => Promise<unknown>);
}

/**
 * The longest stretch of the main thread for the largest input, in milliseconds of the machine of docs/performance.md.
 */
const MOST_MS = 20;
/** Measurements of the same work differ by so much. */
const NOISE = 1.5;
/** What costs less in its largest size grows harmlessly, however it grows: it is no more than the noise. */
const NEGLIGIBLE_MS = 8;
/** Linear work doubles with its input, quadratic work becomes four times as much. */
const MOST_GROWTH = 3.2;
/**
 * The largest size is 16 times the small one: work that costs no more than this many times as much need not be looked
 * at in more sizes.
 */
const MOST_OVER_SMALL = 24;
/** The cheapest of so many tries counts: collections of garbage and compilations come at any time. */
const TRIES = 4;
/** What has no answer by then gets none. */
const ANSWER_MS = 30_000;

async function answered(work: () => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`was not answered within ${ANSWER_MS / 1000} seconds`)), ANSWER_MS);
  });
  await Promise.race([work(), late]).finally(() => clearTimeout(timer));
}

/** The costs of one input by size: of each size the cheapest try. */
class Costs {
  private readonly cheapest = new Map<number, Cost>();

  constructor(private readonly input: HostileInput) {}

  of(size: number): Cost {
    return this.cheapest.get(size) ?? { total: Infinity, longest: Infinity };
  }

  async try(size: number): Promise<Cost> {
    const work = await this.input.prepare(size);
    const { total, longest } = await measureCost(() => answered(work));
    const before = this.of(size);
    const cost = { total: Math.min(before.total, total), longest: Math.min(before.longest, longest) };
    this.cheapest.set(size, cost);
    return cost;
  }

  /** Tries until the longest stretch is within the limit; undefined if it never is. */
  async tryUntilShort(size: number): Promise<Cost | undefined> {
    const most = MOST_MS * NOISE;
    let slowness = 1;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const cost = await this.try(size);
      if (cost.longest <= most * slowness) return cost;
      slowness = Math.max(slowness, measureSlowness());
      if (cost.longest <= most * slowness) return cost;
      // Far above the limit no try comes below it.
      if (cost.longest > 4 * most * slowness && tries > 0) return undefined;
    }
    return undefined;
  }
}

const inMs = (ms: number) => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;

/**
 * What is wrong with the way in which the service handles an input; undefined if its cost is linear and within the
 * limit.
 */
export async function findGrowth(input: HostileInput): Promise<string | undefined> {
  try {
    return await growthOf(input);
  } catch (error) {
    return `${input.name}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function growthOf(input: HostileInput): Promise<string | undefined> {
  const { name, largest } = input;
  const costs = new Costs(input);
  const tooLong = (size: number) =>
    `${name}: at size ${size} nobody else is answered for ${inMs(costs.of(size).longest)}`;
  // A small one goes ahead: it loads and compiles, and what grows with the square shows without taking minutes.
  const small = Math.ceil(largest / 16);
  if (!(await costs.tryUntilShort(small))) return tooLong(small);
  const large = await costs.tryUntilShort(largest);
  if (!large) return tooLong(largest);
  if (large.total <= NEGLIGIBLE_MS) return undefined;
  const nothing = await costs.try(1);
  if (large.total - nothing.total <= MOST_OVER_SMALL * (costs.of(small).total - nothing.total)) return undefined;
  const sizes = [1, Math.ceil(largest / 4), Math.ceil(largest / 2), largest];
  for (let tries = 0; tries < TRIES; tries += 1) {
    for (const size of sizes) await costs.try(size);
    const [none = 0, one = 0, two = 0, four = 0] = sizes.map((size) => costs.of(size).total);
    const growth = [(two - none) / (one - none), (four - none) / (two - none)];
    if (!growth.every((times) => times >= MOST_GROWTH) || four <= NEGLIGIBLE_MS) return undefined;
  }
  const shown = sizes.map((size) => `${size}: ${inMs(costs.of(size).total)}`).join(', ');
  return `${name}: its cost grows faster than its size (${shown})`;
}

/**
 * What is wrong with all of these inputs; one after another, because they share the thread that is measured. What is
 * found once may be the machine's doing, so it is looked for again after all others.
 */
export async function findAllGrowth(inputs: readonly HostileInput[]): Promise<string[]> {
  const suspects: HostileInput[] = [];
  for (const input of inputs) if ((await findGrowth(input)) !== undefined) suspects.push(input);
  const findings: string[] = [];
  for (const input of suspects) {
    const finding = await findGrowth(input);
    if (finding !== undefined) findings.push(finding);
  }
  return findings;
}
