import { YieldTimer } from '@/server/platform/timers/cooperative';
import { parseStoredJson } from '@/server/platform/messages/json-in-pieces';
import { isLargeJson, parseUnlessLarge, type LargeJsonText } from '@/server/evaluation/expressions/large-json';

/**
 * How the outputs of a node that ran once for each item are divided among its ports. `runs`: for the outputs in order,
 * pairs of the index of a port and the number of outputs that left by it. Without ports no port delivers anything.
 */
export interface PortShares {
  ports: string[];
  runs: number[];
}

/** The shares of a node without items, whose branch ends. */
export const NO_PORT_SHARES: PortShares = { ports: [], runs: [] };

/** The port that the outputs of one item took. */
export interface TakenPort {
  port: string;
  /** The number of its outputs. */
  count: number;
}

export function buildPortShares(taken: Iterable<TakenPort>): PortShares {
  const ports: string[] = [];
  const runs: number[] = [];
  for (const { port, count } of taken) {
    let index = ports.indexOf(port);
    if (index === -1) index = ports.push(port) - 1;
    if (runs.at(-2) === index) runs[runs.length - 1] = (runs.at(-1) ?? 0) + count;
    else runs.push(index, count);
  }
  return { ports, runs };
}

/** The numbers of outputs by port. */
export function countPortShares({ ports, runs }: PortShares): Record<string, number> {
  const counts = ports.map(() => 0);
  for (let at = 0; at < runs.length; at += 2)
    counts[runs[at] ?? 0] = (counts[runs[at] ?? 0] ?? 0) + (runs[at + 1] ?? 0);
  return Object.fromEntries(ports.map((port, index) => [port, counts[index] ?? 0]));
}

/** The indexes of the outputs of a port: the beginning and the end of each run of them. */
function* listRuns({ ports, runs }: PortShares, port: string): Generator<[from: number, to: number]> {
  const index = ports.indexOf(port);
  let from = 0;
  for (let at = 0; at < runs.length; at += 2) {
    const to = from + (runs[at + 1] ?? 0);
    if (runs[at] === index) yield [from, to];
    from = to;
  }
}

/** The positions of the outputs of a port in the list of all outputs. */
export const listSharePositions = (shares: PortShares, port: string): number[] =>
  [...listRuns(shares, port)].flatMap(([from, to]) => Array.from({ length: to - from }, (_, index) => from + index));

const selectOutputs = (outputs: unknown[], shares: PortShares, port: string): unknown[] =>
  [...listRuns(shares, port)].flatMap(([from, to]) => outputs.slice(from, to));

/** The outputs of a port. A large list is parsed, so workers use `loadPortShare`. */
export function selectPortShare(outputs: unknown, shares: PortShares, port: string): unknown {
  if (!isLargeJson(outputs)) return selectOutputs(Array.isArray(outputs) ? outputs : [], shares, port);
  return parseUnlessLarge(JSON.stringify(selectOutputs(JSON.parse(outputs.text) as unknown[], shares, port)));
}

/** The outputs of a port of a large list, in pieces between which others get their turn. */
export async function loadPortShare(outputs: LargeJsonText, shares: PortShares, port: string): Promise<unknown> {
  const timer = new YieldTimer();
  const list = (await parseStoredJson(outputs.text)) as unknown[];
  const texts: string[] = [];
  for (const [from, to] of listRuns(shares, port)) {
    for (let index = from; index < to; index += 1) {
      texts.push(JSON.stringify(list[index]));
      if (timer.isDue) await timer.take();
    }
  }
  return parseUnlessLarge(`[${texts.join()}]`);
}
