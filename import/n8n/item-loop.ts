import type { NodeConversion, ConvertedNodes, InputReference } from './conversion';
import { loopRowReferences } from './converted-nodes';
import type { NodeLink } from './node-links';
import type { RepeatedLoop } from './repeat';

/** A loop over items, on its level. */
interface ItemLoop extends Omit<RepeatedLoop, 'until'> {
  /** The ids of the nodes inside the loop. */
  body: ReadonlySet<string>;
  addRemark(id: string, sentence: string): void;
}

/** The loop as a node `for_each`. Connections between its body and other nodes are left out. */
export function convertItemLoop(
  conversion: NodeConversion,
  { body, links, names, depth, level, addRemark }: ItemLoop,
): ConvertedNodes {
  const { id, node, context } = conversion;
  const { batchSize } = node.parameters;
  if (typeof batchSize === 'number' && batchSize > 1)
    conversion.addTodo(`It takes one item at a time, in place of ${Math.round(batchSize)}.`);
  const startId = context.createId(`${id}_item`);
  const item: InputReference = { path: '.item', code: `nodes.${startId}.item`, isList: false };
  const inner = links.flatMap((link): NodeLink[] => {
    if (!body.has(link.to)) return [];
    if (link.from === id) return [{ ...link, from: startId, output: 0 }];
    if (body.has(link.from)) return [link];
    addRemark(link.to, 'A connection from outside of its loop is left out.');
    return [];
  });
  for (const { from, to } of links) {
    if (body.has(from) && to !== id && !body.has(to))
      addRemark(from, 'A connection out of its loop is left out: continue behind the loop.');
  }
  const own = new Map([
    ...names,
    ...loopRowReferences(conversion.source.rows, names, `nodes.${startId}.index`),
    [node.name, { code: item.code, isList: false }] as const,
  ]);
  const { x, y } = node.position;
  const definition = level({
    ids: [...body],
    links: inner,
    start: { id: startId, position: { x: x + 160, y: y + 160 }, source: item },
    names: own,
    depth: depth + 1,
  });
  const piece = conversion.asSingleNode(
    { type: 'for_each', config: { items: conversion.items, body: definition } },
    true,
  );
  const output = { node: id, port: 'output' };
  return { ...piece, outputs: [output, output] };
}
