import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { convertCondition } from './conditions';
import { NodeConversion, type ConvertedNodes, type InputReference } from './conversion';
import { cutWellFormed } from './file';
import type { ValueReference } from './javascript/scope';
import type { NodeLink } from './node-links';
import type { LevelStart } from './converted-nodes';
import type { UntilLoop } from './until-loops';

/** Rounds of a loop until a condition holds. n8n has no limit. */
const MAX_UNTIL_ROUNDS = 1000;
const ROUND_NODE_GAP = 320;

/** One level of the workflow: its own, or the body of a loop. */
export interface WorkflowLevel {
  ids: readonly string[];
  links: readonly NodeLink[];
  start: LevelStart;
  names: ReadonlyMap<string, ValueReference>;
  depth: number;
  /** Creates a node after the last one, from the result of that one. */
  end?: (last: InputReference, names: ReadonlyMap<string, ValueReference>) => WorkflowNode;
}

/** A loop until a condition holds, on its level. */
export interface RepeatedLoop {
  until: UntilLoop;
  links: readonly NodeLink[];
  names: ReadonlyMap<string, ValueReference>;
  depth: number;
  /** Converts the nodes of a level. */
  level(level: WorkflowLevel): WorkflowDefinition;
}

/** The loop as a node `repeat`. Each round ends with what its last node gives, and whether the condition holds. */
export function convertRepeat(
  conversion: NodeConversion,
  { until, links, names, depth, level }: RepeatedLoop,
): ConvertedNodes {
  const { id, node, context: around, source } = conversion;
  const { body, back } = until;
  const [startId, endId] = [around.createId(`${id}_round`), around.createId(`${id}_end`)];
  if (source.isList) conversion.addTodo('A list comes in: check its rounds.');
  conversion.addTodo(
    `Check what comes after it: it gives its rounds and the last result. It fails after ${MAX_UNTIL_ROUNDS} rounds.`,
  );
  const round = `nodes.${startId}`;
  const item = `(${round}.index = 0 ? ${source.code} : ${round}.previous.item)`;
  const { x, y } = node.position;
  const end = (last: InputReference, inside: ReadonlyMap<string, ValueReference>): WorkflowNode => {
    const own = new NodeConversion(node, endId, { ...around, source: last, inputs: [last], nodes: inside });
    const found = convertCondition(node.parameters, own.expressions(last.code))?.code;
    if (found === undefined) conversion.addTodo('Enter when it ends.');
    if (own.message) conversion.addTodo(own.message);
    const isDone = found === undefined ? 'true' : `(${found}) ? ${back === 1} : ${back === 0}`;
    const expression = `{ "item": ${last.code}, "isDone": ${isDone} }`;
    return {
      id: endId,
      type: 'transform',
      name: cutWellFormed(node.name, 200),
      position: { x, y },
      config: { expression },
    };
  };
  const definition = level({
    ids: body,
    links: [
      { from: startId, output: 0, to: body[0] ?? '', input: 0 },
      ...links.filter(({ from, to }) => body.includes(from) && body.includes(to)),
    ],
    start: {
      id: startId,
      position: { x: x - ROUND_NODE_GAP * (body.length + 1), y },
      source: { path: undefined, code: item, isList: source.isList },
    },
    names,
    depth: depth + 1,
    end,
  });
  const config = { until: 'output.isDone', maxRounds: MAX_UNTIL_ROUNDS, body: definition };
  const piece = conversion.asSingleNode({ type: 'repeat', config, path: '.last.item' }, source.isList);
  const output = { node: id, port: 'output' };
  return { ...piece, outputs: [output, output] };
}
