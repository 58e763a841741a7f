import { z } from 'zod';
import { UpdatedAt } from '../shared-fields';
import { FieldIssue } from '../error-response';

import { WorkflowDefinition } from './workflow';

/** Changes of one person that are not saved as a version because their definition has errors. */
export const InvalidDraftSummary = z
  .object({
    userId: z.string().meta({ description: 'The person who made the changes' }),
    userName: z.string().meta({ description: 'Their name' }),
    version: z.number().int().meta({ description: 'The version that the changes are based on' }),
    name: z.string().meta({ description: 'The name of the workflow with the changes' }),
    issues: z.array(FieldIssue).meta({ description: 'The errors of the definition' }),
    updatedAt: UpdatedAt,
  })
  .meta({
    id: 'InvalidDraftSummary',
    description: 'Changes of one person that are not saved because of errors, without the definition',
  });
export type InvalidDraftSummary = z.infer<typeof InvalidDraftSummary>;

export const InvalidDraftResponse = InvalidDraftSummary.extend({
  definition: WorkflowDefinition,
}).meta({ id: 'InvalidDraft', description: 'Changes of one person that are not saved as a version because of errors' });
export type InvalidDraftResponse = z.infer<typeof InvalidDraftResponse>;

export const ListInvalidDraftsResponse = z
  .object({ data: z.array(InvalidDraftSummary).describe('The items') })
  .meta({ id: 'InvalidDraftList', description: 'The changes to a workflow that are not saved because of errors' });
