import { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { JsonObject } from '@/contract/text';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
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
  run: ({ input }) => completeNode(input),
});

/** The schemas that the input of a run has to fit. */
export const listInputSchemas = ({ nodes }: WorkflowDefinition): unknown[] =>
  nodes.flatMap(({ type, disabled, config: { inputSchema } }) =>
    type === startNodeType.type && !disabled && inputSchema ? [inputSchema] : [],
  );

/** Lists the reasons why `input` cannot start a run of `definition`. Their fields begin with `input`. */
export async function findRunInputIssues(
  definition: WorkflowDefinition,
  input: unknown,
  purpose: EvaluationContext,
): Promise<FieldIssue[]> {
  const schemas = listInputSchemas(definition);
  const issues = await Promise.all(schemas.map((schema) => findSchemaIssues(schema, input, purpose)));
  return issues.flat().map(({ field, message }) => ({ field: `input${field}`, message }));
}
