import type { WorkflowNode } from '@/contract/workflows/workflow';
import { shortNodeType } from '../starts/convert-trigger';
import type { N8nNode } from '../file';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { connectNodes } from './connect-nodes';

/** The name of the file that is read for a question about an image. */
export const READ_IMAGE_NAME = 'image_to_read';

/** Whether a node asks a model about an image at one address. */
export function asksAboutAddress({ node: { type, parameters } }: { node: N8nNode }): boolean {
  const { resource, operation, inputType = 'url', imageUrls } = parameters;
  const isOne =
    typeof imageUrls === 'string' && imageUrls.trim() !== '' && (imageUrls.startsWith('=') || !imageUrls.includes(','));
  return (
    ['openAi', 'anthropic', 'googleGemini'].includes(shortNodeType(type)) &&
    resource === 'image' &&
    operation === 'analyze' &&
    inputType === 'url' &&
    isOne
  );
}

/** Reads the image of each item before the question about it, as a file of the item. */
export function readImagesBefore(conversion: ItemConversion, made: ItemNodes, items: string, call: string): ItemNodes {
  const { id, node, createId } = conversion;
  const [read = '', attach = ''] = ['image', 'attach'].map((word) => createId(`${id}_${word}`));
  const request = {
    type: 'http_request',
    config: { url: conversion.text(node.parameters['imageUrls']), responseType: 'file' },
  };
  const source = `paired.${items}`;
  const expression = `({ ...${source}, $files: { ...${source}?.$files, ${READ_IMAGE_NAME}: input.body } })`;
  const further: WorkflowNode[] = [
    conversion.createHelper(read, 'image', request, -2),
    conversion.createHelper(attach, 'attach', { type: 'transform', config: { expression } }, -2),
  ];
  const connections = made.connections.filter(
    ({ sourceNode, targetNode }) => sourceNode !== items || targetNode !== call,
  );
  return {
    ...made,
    nodes: [...made.nodes, ...further],
    connections: [...connections, connectNodes(items, read), connectNodes(read, attach), connectNodes(attach, call)],
  };
}
