import { z } from 'zod';
import { FieldIssue } from '../error-response';

/** The issues that prevent a version from being activated. */
export const ActivationIssues = z
  .object({
    version: z.number().int().describe('The version, from 1'),
    gaps: z.array(FieldIssue).describe('What is missing, by field'),
  })
  .meta({ id: 'WorkflowGaps', description: 'What the newest version lacks before it can run' });
export type ActivationIssues = z.infer<typeof ActivationIssues>;
