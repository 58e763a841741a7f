import type { ConvertedField } from '@/contract/workflows/converted-field';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { asN8nObject, asN8nObjects, cutWellFormed } from '../file';

/** What stands in the place of an expression that has no counterpart: it is a text, not what n8n computes. */
const LOST_EXPRESSION_PATTERN = /\(n8n: ([^]{0,300})/;
const MAX_MARKS = 200;

/** Marks the fields with lost expressions: the workflow cannot be published until somebody has looked at each. */
export function markLostExpressions(definition: WorkflowDefinition): WorkflowDefinition {
  return { ...definition, nodes: definition.nodes.map(markNode) };
}

function markNode(node: WorkflowNode): WorkflowNode {
  const { body, ...own } = node.config;
  const isLoop = Array.isArray(asN8nObject(body)['nodes']);
  const config = isLoop ? { ...own, body: markLostExpressions(body as WorkflowDefinition) } : node.config;
  const marks = findLostFields(isLoop ? own : node.config, 'config').slice(0, MAX_MARKS);
  return marks.length > 0 ? { ...node, config, unreviewed: marks } : { ...node, config };
}

function findLostFields(value: unknown, field: string): ConvertedField[] {
  if (typeof value === 'string') {
    const [, source = ''] = LOST_EXPRESSION_PATTERN.exec(value) ?? [];
    return source === '' || field.length > 500
      ? []
      : [
          {
            field,
            language: 'javascript',
            source: cutWellFormed(source, 300),
            reason: 'an expression of n8n in it has no counterpart, and is only a text now',
          },
        ];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => findLostFields(item, `${field}[${index}]`));
  return Object.entries(asN8nObject(value)).flatMap(([name, item]) => findLostFields(item, `${field}.${name}`));
}

/** The marked fields of all nodes, those inside of loops included. */
export const listLostFields = ({ nodes }: WorkflowDefinition): { node: string; mark: ConvertedField }[] =>
  nodes.flatMap((node) => [
    ...(node.unreviewed ?? [])
      .filter(({ source }) => source !== '')
      .map((mark) => ({ node: node.name ?? node.id, mark })),
    ...(asN8nObjects(asN8nObject(node.config['body'])['nodes']).length > 0
      ? listLostFields(node.config['body'] as WorkflowDefinition)
      : []),
  ]);
