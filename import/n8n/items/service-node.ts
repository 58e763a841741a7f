import type { WorkflowNode } from '@/contract/workflows/workflow';
import { NodeConversion, type ConvertedNodes } from '../conversion';
import { asN8nObject, type N8nObject } from '../file';
import { convertNode } from '../nodes';
import type { NodeExpressions } from '../n8n-expressions';
import { SERVICE_CONVERTERS } from '../nodes/services';
import { shortNodeType } from '../starts/convert-trigger';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { RawSource } from './parameter-source';
import { convertSheetRows } from './sheet-rows';

/** Types besides those of services that become one node of Weft, whose parameters are written in JavaScript. */
const OUTSIDE_TYPES = new Set([
  'awsLambda',
  'awsS3',
  'awsSes',
  'awsSns',
  'awsSqs',
  'emailSend',
  'ftp',
  'graphql',
  'httpRequest',
  'mySql',
  'openAi',
  'postgres',
  'redis',
  's3',
  'ssh',
]);

/** Types of n8n's package for language models that ask a model once for each item. */
const MODEL_TYPES = new Set([
  'agent',
  'anthropic',
  'chainLlm',
  'chainSummarization',
  'googleGemini',
  'informationExtractor',
  'openAi',
]);

/** Whether a node calls something outside of the workflow, and is converted by `convertOutsideNode`. */
export const isOutsideType = (type: string): boolean => {
  const short = shortNodeType(type);
  if (type.startsWith('@n8n/n8n-nodes-langchain.')) return MODEL_TYPES.has(short);
  return type.startsWith('n8n-nodes-base.') && (OUTSIDE_TYPES.has(short) || Object.hasOwn(SERVICE_CONVERTERS, short));
};

/** A conversion for one item, whose expressions stay as they are written. */
class OutsideConversion extends NodeConversion {
  override expressions(): NodeExpressions {
    const { scope, ...others } = super.expressions('$json');
    return { ...others, scope, language: 'javascript' };
  }

  /** The file is one of the item, as in n8n. */
  override remarkFileOutput(): void {}
}

/** Where Weft keeps what comes in, for one item. */
const ITEM_SOURCE = { path: '', code: 'input', isList: false };

/** The node of Weft that the mapping of parameters gives; undefined: it is more than one, or another kind. */
function convertCall(conversion: ItemConversion): { piece: ConvertedNodes; call: WorkflowNode } | undefined {
  const inner = new OutsideConversion(conversion.node, conversion.id, {
    source: ITEM_SOURCE,
    inputs: [ITEM_SOURCE],
    nodes: new Map(),
    workflowName: '',
    resumeUrl: undefined,
    createId: conversion.createId,
    budget: { characters: 0 },
    hasRoom: () => true,
    ...conversion.parts,
  });
  const piece = convertNode(inner);
  const [call, ...others] = piece.nodes;
  if (inner.outcome === 'placeholder') conversion.outcome = 'placeholder';
  else if (inner.outcome === 'partly') conversion.addTodo('');
  if (inner.message) conversion.addRemark(inner.message);
  const isSingle = call && others.length === 0 && piece.connections.length === 0 && piece.outputs.length === 1;
  return isSingle && piece.outputs[0]?.port === 'output' ? { piece, call } : undefined;
}

/** Where the output has what n8n gives. */
const answerPath = ({ answerPath: own, result }: ConvertedNodes): string =>
  (own ?? result.path ?? '').replace(/^\./, '');

/** The name that a file gets that a node reads; undefined: the usual one. */
function readFileField(parameters: N8nObject): unknown {
  const { binaryPropertyName, options, additionalFields } = parameters;
  return (
    binaryPropertyName ??
    asN8nObject(options)['binaryPropertyName'] ??
    asN8nObject(additionalFields)['binaryPropertyName']
  );
}

/** The call that makes n8n's items of an answer. */
function writeAnswerCall(conversion: ItemConversion, piece: ConvertedNodes, item: string): string {
  const { node } = conversion;
  const { parameters, version } = node;
  const around = { output: new RawSource('input'), source: new RawSource(`paired.${item}`) };
  if (shortNodeType(node.type) !== 'httpRequest' || piece.result.path === '.items') {
    const { shape } = piece;
    const fileField = readFileField(node.parameters);
    const given = {
      ...around,
      path: answerPath(piece),
      isList: piece.result.isList,
      ...(fileField ? { fileField } : {}),
      ...(shape ? { shape: new RawSource(shape) } : {}),
    };
    return `n8n.answerItems(${version}, ${conversion.code(given)})`;
  }
  const options = asN8nObject(parameters['options']);
  const { fullResponse, responseFormat, outputPropertyName } = asN8nObject(
    asN8nObject(options['response'])['response'],
  );
  const isWhole = fullResponse === true || options['fullResponse'] === true;
  if (isWhole) conversion.addTodo('Check what reads its “statusMessage”: it is left out.');
  const given = {
    ...around,
    isWhole,
    format: responseFormat ?? parameters['responseFormat'] ?? (version < 3 ? 'json' : 'autodetect'),
    fieldName: outputPropertyName ?? parameters['dataPropertyName'] ?? 'data',
    splits: options['splitIntoItems'] === true,
  };
  return `n8n.httpItems(${version}, ${conversion.code(given)})`;
}

/**
 * A node of Weft for each item, whose config the mapping of parameters makes, and behind it a node with n8n's name that
 * makes n8n's items of what it gives.
 */
export function convertOutsideNode(conversion: ItemConversion): ItemNodes | undefined {
  const found = convertCall(conversion);
  if (!found) return undefined;
  const { piece, call } = found;
  if (conversion.outcome === 'placeholder')
    return conversion.eachNode({ type: 'transform', config: { expression: 'input' } });
  const rows = convertSheetRows(conversion, call);
  if (rows) return rows;
  const { id, node, createId } = conversion;
  const [items = '', asked = ''] = ['items', 'call'].map((word) => createId(`${id}_${word}`));
  if (node.onError !== 'stop') conversion.addTodo('Check what reads its error: it is a message.');
  const expression = writeAnswerCall(conversion, piece, items);
  const made = conversion.eachNode({ type: 'transform', config: { expression } }, ['output'], true, items);
  const before = conversion.createHelper(items, 'items', { type: 'transform', config: { expression: 'input' } }, -2);
  const { type, config, labels, retry } = call;
  const calling: WorkflowNode = {
    ...conversion.createHelper(asked, 'call', { type, config }, -1),
    ...(labels ? { labels } : {}),
    ...(retry ? { retry } : {}),
    each: node.onError === 'stop' ? {} : { onError: 'continue' },
  };
  const link = (sourceNode: string, targetNode: string) => ({
    sourceNode,
    sourcePort: 'output',
    targetNode,
    targetPort: 'input',
  });
  return {
    ...made,
    nodes: [withFirstItemOnly(before, node.executesOnce), calling, ...made.nodes],
    connections: [...made.connections, link(items, asked), link(asked, id)],
    entries: [items],
  };
}

const withFirstItemOnly = (node: WorkflowNode, isOnce: boolean): WorkflowNode =>
  isOnce ? { ...node, each: { items: '[input].flat().slice(0, 1)' } } : node;
