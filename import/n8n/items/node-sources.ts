import type { N8nNode } from '../file';
import { shortNodeType } from '../starts/convert-trigger';
import { splitText } from './parameter-source';

const parameterTexts = new WeakMap<N8nNode, string>();

/** The parameters of a node as JSON. */
export function writeParameterText(node: N8nNode): string {
  const known = parameterTexts.get(node);
  if (known !== undefined) return known;
  const text = JSON.stringify(node.parameters);
  parameterTexts.set(node, text);
  return text;
}

/** Parameters that are code. */
const CODE_PARAMETERS = new Set(['jsCode', 'functionCode', 'pythonCode', 'code']);

const listExpressions = (text: string): string[] =>
  splitText(text).flatMap((piece) => ('source' in piece ? [piece.source] : []));

function collectSources(value: unknown, name: string, type: string): string[] {
  if (typeof value === 'string') {
    if (CODE_PARAMETERS.has(name)) return [value];
    if (value.startsWith('=')) return listExpressions(value);
    // n8n evaluates the braces of a template in any case.
    return name === 'html' && type === 'html' ? listExpressions(`=${value}`) : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => collectSources(one, Array.isArray(value) ? name : key, type));
}

const nodeSources = new WeakMap<N8nNode, string>();

/** The expressions and the code of a node, one after another: what else its texts say is prose. */
export function readNodeSources(node: N8nNode): string {
  const known = nodeSources.get(node);
  if (known !== undefined) return known;
  const text = collectSources(node.parameters, '', shortNodeType(node.type)).join('\n');
  nodeSources.set(node, text);
  return text;
}
