import type { ItemConversion, ItemNodes } from './item-conversion';
import { RawSource } from './parameter-source';
import { connectNodes } from './connect-nodes';

/** A node of Weft with its config. */
interface OutsideNode {
  type: string;
  config: Record<string, unknown>;
}

/** What the function of the prelude gets of the outside node before it. */
interface OutsideResult {
  /** The function that makes the items of n8n. */
  name: string;
  /** The parameter that has the output. */
  parameter: string;
  /** Whether the function gives a list for each item. */
  isList?: boolean;
  /** Further parameters that it gets. */
  more?: Record<string, unknown>;
}

/**
 * A node of Weft for each item, and behind it a node with n8n's name that makes n8n's items of its outputs. The
 * function of the prelude also gets the item as `source`.
 */
export function convertByOutsideNode(
  conversion: ItemConversion,
  outside: OutsideNode,
  { name, parameter, isList = false, more }: OutsideResult,
): ItemNodes {
  const { id } = conversion;
  const [items = '', call = ''] = ['items', 'call'].map((word) => conversion.createId(`${id}_${word}`));
  conversion.remarkFailureBefore();
  const expression = conversion.callPrelude(name, {
    [parameter]: new RawSource('input'),
    source: new RawSource(`paired.${items}`),
    ...more,
  });
  const made = conversion.eachNode({ type: 'transform', config: { expression } }, ['output'], isList);
  const before = conversion.createItemsNode(items);
  return {
    ...made,
    nodes: [before, conversion.createHelper(call, 'call', outside, -1), ...made.nodes],
    connections: [...made.connections, connectNodes(items, call), connectNodes(call, id)],
    entries: [items],
  };
}

/** The same for a node that works on the whole list once. */
export function convertByOutsideListNode(
  conversion: ItemConversion,
  outside: OutsideNode,
  { name, parameter }: OutsideResult,
): ItemNodes {
  const { id } = conversion;
  const call = conversion.createId(`${id}_call`);
  conversion.remarkFailureBefore();
  const made = conversion.eachNode({
    type: 'transform',
    config: { expression: conversion.callPrelude(name, { [parameter]: new RawSource('input') }) },
  });
  const { each: _, ...before } = conversion.createHelper(call, 'call', outside, -1);
  return {
    ...made,
    nodes: [before, ...made.nodes],
    connections: [...made.connections, connectNodes(call, id)],
    entries: [call],
  };
}
