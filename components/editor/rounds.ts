import type { NodeResult } from '@/contract/execution';

/** The results of what is on the canvas: inside a loop, those of its last round. `loop[3].step` becomes `step`. */
export function innerResults(
  results: ReadonlyMap<string, NodeResult>,
  path: readonly string[],
): ReadonlyMap<string, NodeResult> {
  return path.reduce((outer, id) => {
    const rounds = [...outer.keys()].flatMap((key) => {
      const [, round] = key.startsWith(`${id}[`) ? (/^\[(\d+)\]\./.exec(key.slice(id.length)) ?? []) : [];
      return round === undefined ? [] : [Number(round)];
    });
    const prefix = `${id}[${Math.max(-1, ...rounds)}].`;
    return new Map(
      [...outer].flatMap(([key, result]) =>
        key.startsWith(prefix)
          ? [[key.slice(prefix.length), { ...result, nodeId: key.slice(prefix.length) }] as const]
          : [],
      ),
    );
  }, results);
}
