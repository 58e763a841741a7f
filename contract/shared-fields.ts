import { z } from 'zod';
import { boundedText, Timestamp } from './text';

/** The start node of the runs that an object starts. Null: every start node of the workflow. */
export const StartNodeId = boundedText(1, 100).nullable().meta({
  description: 'Id of the start node at which its runs begin. Null: at every start node',
  example: null,
});
/** The same in a request, in which an absent field counts as null, or keeps its value in a change. */
export const optionalStartNodeId = StartNodeId.optional();

/** Fields that most objects have. */
export const ObjectId = z.string().describe('Identifies it in addresses and references, and never changes');
export const WorkflowId = z.string().describe('Which workflow it belongs to');
export const CreatedAt = Timestamp.describe('When it was created');
export const UpdatedAt = Timestamp.describe('When it was changed last');
export const CreatedBy = z.string().nullable().describe('Id of the user who created it; null: the service');
