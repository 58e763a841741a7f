import { z } from 'zod';
import { Timestamp } from './text';

/** Fields that most objects have. */
export const ObjectId = z.string().describe('Identifies it in addresses and references, and never changes');
export const WorkflowId = z.string().describe('Which workflow it belongs to');
export const CreatedAt = Timestamp.describe('When it was created');
export const UpdatedAt = Timestamp.describe('When it was changed last');
export const CreatedBy = z.string().nullable().describe('Id of the user who created it; null: the service');
