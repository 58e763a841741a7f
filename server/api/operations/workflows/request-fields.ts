import { z } from 'zod';
import { boundedText } from '@/contract/text';
import { WorkflowDefinition } from '@/contract/workflows/workflow';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { findBodySender } from '@/server/evaluation/evaluator/body-sender';

/** A body holds a definition of at most 1 MiB, and further fields. */
export const MAX_WORKFLOW_BODY_BYTES = 2 * 1024 * 1024;
/** Maximum number of JSON values. 2,000 nodes and 10,000 connections have about 70,000. */
export const MAX_WORKFLOW_JSON_VALUES = 200_000;

/** Validated against the node types first, so that all issues are reported at once, with their own paths. */
export const CheckedDefinition = z.preprocess(async (value, context) => {
  if (value === undefined) return value;
  for (const { field, message } of await definitionIssues(value, { workspaceId: findBodySender(value) }))
    context.addIssue({ code: 'custom', path: [field], message, input: value });
  return value;
}, WorkflowDefinition);

export const VersionMessageField = boundedText(0, 500).meta({ description: 'Description of this version' });

export const ExpectedVersion = z
  .number()
  .int()
  .min(1)
  .max(2_147_483_647)
  .meta({ description: 'The version that this changes' });
