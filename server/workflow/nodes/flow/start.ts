import { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { JsonObject } from '@/contract/text';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { findSchemaIssues, type EvaluationContext } from '@/server/evaluation/evaluator/evaluation';
import { completeNode, defineNodeType } from '../node-type';
import { jsonSchemaField } from '../field-traits';

export const startNodeType = defineNodeType({
  type: 'start',
  title: 'Start',
  summary: 'Where a run begins; passes its input on.',
  synonyms: ['manual trigger', 'run by hand', 'click', 'test', 'begin', 'input', 'trigger', 'entry', 'on demand'],
  category: 'trigger',
  config: z.strictObject({
    inputSchema: JsonObject.optional().apply(jsonSchemaField).meta({
      title: 'Input schema',
      description: 'JSON Schema (draft 7 or 2020-12). A run whose input does not fit is refused.',
      'x-editor': 'json',
    }),
  }),
  hasInput: false,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
  // In n8n every run begins with an item.
  run: ({ input, language }) => completeNode(language === 'n8n' ? (input ?? {}) : input),
});

/** Whether runs can begin at a node. */
const isEnabledStart = ({ type, disabled }: WorkflowNode): boolean => type === startNodeType.type && !disabled;

/** Why runs cannot begin at the start node with this id; null: they can. A null id stands for every start node. */
export const startNodeProblem = (
  { nodes }: Pick<WorkflowDefinition, 'nodes'>,
  startNodeId: string | null,
): string | null =>
  startNodeId === null || nodes.some((node) => node.id === startNodeId && isEnabledStart(node))
    ? null
    : `is not an enabled start node of the workflow: ${startNodeId}`;

/** The schemas that the input of a run has to fit, which begins at one start node or, with null, at every one. */
export const listInputSchemas = (
  { nodes }: Pick<WorkflowDefinition, 'nodes'>,
  startNodeId: string | null = null,
): unknown[] =>
  nodes.flatMap((node) => {
    const { inputSchema } = node.config;
    const isBegun = isEnabledStart(node) && (startNodeId === null || node.id === startNodeId);
    return isBegun && inputSchema ? [inputSchema] : [];
  });

/** Lists the reasons why `input` cannot start a run of `definition`. Their fields begin with `input`. */
export async function findRunInputIssues(
  definition: Pick<WorkflowDefinition, 'nodes'>,
  input: unknown,
  purpose: EvaluationContext,
  startNodeId: string | null = null,
): Promise<FieldIssue[]> {
  const schemas = listInputSchemas(definition, startNodeId);
  const issues = await Promise.all(schemas.map((schema) => findSchemaIssues(schema, input, purpose)));
  return issues.flat().map(({ field, message }) => ({ field: `input${field}`, message }));
}
