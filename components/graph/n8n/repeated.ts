import type { Definition, Node } from '@/contract/workflows/workflow';
import { condition } from './conditions';
import { Conversion, type Piece, type Source } from './conversion';
import { cut } from './file';
import type { Place } from './javascript/scope';
import type { Link } from './order';
import type { Start } from './pieces';
import type { Until } from './until';

/** Rounds of a loop until a condition holds. n8n has no limit. */
const MAX_ROUNDS = 1000;
const WIDTH = 320;

/** One level of the workflow: its own, or the body of a loop. */
export interface Level {
  ids: readonly string[];
  links: readonly Link[];
  start: Start;
  names: ReadonlyMap<string, Place>;
  depth: number;
  /** A node behind the last one, made of what that gives. */
  end?: (last: Source, names: ReadonlyMap<string, Place>) => Node;
}

/** A loop until a condition holds, on its level. */
export interface Repeated {
  until: Until;
  links: readonly Link[];
  names: ReadonlyMap<string, Place>;
  depth: number;
  /** Converts the nodes of a level. */
  level(level: Level): Definition;
}

/** The loop as a node `repeat`. Each round ends with what its last node gives, and whether the condition holds. */
export function repeated(conversion: Conversion, { until, links, names, depth, level }: Repeated): Piece {
  const { id, node, around, source } = conversion;
  const { body, back } = until;
  const [startId, endId] = [around.idOf(`${id}_round`), around.idOf(`${id}_end`)];
  if (source.isList) conversion.todo('A list comes in: check its rounds.');
  conversion.say(`It fails after ${MAX_ROUNDS} rounds.`);
  const round = `nodes.${startId}`;
  const item = `(${round}.index = 0 ? ${source.code} : ${round}.previous.item)`;
  const { x, y } = node.position;
  const end = (last: Source, inside: ReadonlyMap<string, Place>): Node => {
    const own = new Conversion(node, endId, { ...around, source: last, inputs: [last], nodes: inside });
    const found = condition(node.parameters, own.expressions(last.code))?.code;
    if (found === undefined) conversion.todo('Enter when it ends.');
    if (own.message) conversion.todo(own.message);
    const isDone = found === undefined ? 'true' : `(${found}) ? ${back === 1} : ${back === 0}`;
    const expression = `{ "item": ${last.code}, "isDone": ${isDone} }`;
    return { id: endId, type: 'transform', name: cut(node.name, 200), position: { x, y }, config: { expression } };
  };
  const definition = level({
    ids: body,
    links: [
      { from: startId, output: 0, to: body[0] ?? '', input: 0 },
      ...links.filter(({ from, to }) => body.includes(from) && body.includes(to)),
    ],
    start: {
      id: startId,
      position: { x: x - WIDTH * (body.length + 1), y },
      source: { path: undefined, code: item, isList: source.isList },
    },
    names,
    depth: depth + 1,
    end,
  });
  const config = { until: 'output.isDone', maxRounds: MAX_ROUNDS, body: definition };
  const piece = conversion.whole({ type: 'repeat', config, path: '.last.item' }, source.isList);
  const output = { node: id, port: 'output' };
  return { ...piece, outputs: [output, output] };
}
