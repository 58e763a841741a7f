import { z } from 'zod';
import { CreatedAt, CreatedBy, ObjectId, UpdatedAt } from '../shared-fields';
import { page, text } from '../text';

/** Folders above one another. */
export const MAX_FOLDER_DEPTH = 5;

/** A folder of workflows. It organizes them, and has no effect on permissions. */
export const Folder = z
  .object({
    id: ObjectId,
    name: z.string().describe('What people call it'),
    parentId: z.string().nullable().meta({ description: 'The folder that it is in; null: the top level' }),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    createdBy: CreatedBy,
  })
  .meta({ id: 'Folder', description: 'A folder of workflows' });
export type Folder = z.infer<typeof Folder>;

export const FolderPage = page(Folder).meta({ id: 'FolderPage' });

const name = text(1, 100).refine((value) => value.trim() === value, { error: 'must not begin or end with a space' });
const parentId = text(1, 100).nullable().meta({ example: null });

export const FolderCreate = z.strictObject({
  name: name.describe('What people call it'),
  parentId: parentId.default(null).describe('The folder around it; null: none'),
});

export const FolderUpdate = z.strictObject({
  name: name.optional().describe('What people call it'),
  parentId: parentId.optional().describe('The folder around it; null: none'),
});
