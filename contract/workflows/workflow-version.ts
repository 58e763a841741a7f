import { z } from 'zod';
import { CreatedAt, CreatedBy, ObjectId } from '../shared-fields';
import { Timestamp, queryInteger, pageSchema, boundedText } from '../text';
import { WorkflowDefinition } from './workflow';

export const WorkflowVersion = z
  .object({
    id: ObjectId,
    version: z.number().int().describe('The version, from 1'),
    name: z.string().describe('What people call it'),
    createdAt: CreatedAt,
    createdBy: CreatedBy,
    author: z.string().nullable().meta({ description: 'Name of the author; null: the account was deleted' }),
    message: z.string().describe('What the author says about the change'),
    publishedAt: Timestamp.nullable().meta({
      description: 'When it was published; null: never',
    }),
    authorizedBy: z.string().nullable().meta({
      description:
        'The user whose permissions limit the credentials and workflows of its runs: who published or saved it last',
    }),
  })
  .meta({ id: 'WorkflowVersion', description: 'A version of a workflow, without its definition' });
export type WorkflowVersion = z.infer<typeof WorkflowVersion>;

export const WorkflowVersionPage = pageSchema(WorkflowVersion).meta({ id: 'WorkflowVersionPage' });

/** A stored version with its definition. */
export const WorkflowVersionWithDefinition = WorkflowVersion.extend({
  description: z.string().describe('What it is for; may be empty'),
  definition: WorkflowDefinition,
}).meta({ id: 'WorkflowVersionWithDefinition', description: 'The graph of a workflow as it was saved once' });

/** The message of a version; empty: none. */
export const VersionUpdate = z.strictObject({
  message: boundedText(0, 500).describe('What the author says about the change'),
});

export const VersionsBefore = z.strictObject({
  before: queryInteger
    .pipe(z.number().int().min(1))
    .optional()
    .meta({ type: 'integer', minimum: 1, description: 'Only versions with a lower number' }),
});

export const RestoreRequest = z.strictObject({
  message: boundedText(0, 500).optional().describe('What the author says about the change'),
});
