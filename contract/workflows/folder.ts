import { z } from 'zod';
import { CreatedAt, CreatedBy, ObjectId, UpdatedAt } from '../shared-fields';
import { pageSchema, boundedText } from '../text';

/** Folders can be nested this deep. */
export const MAX_FOLDER_DEPTH = 5;

/** A folder of workflows. It organizes them, and has no effect on permissions. */
export const FolderResponse = z
  .object({
    id: ObjectId,
    name: z.string().describe('What people call it'),
    parentId: z.string().nullable().meta({ description: 'The folder that it is in; null: the top level' }),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    createdBy: CreatedBy,
  })
  .meta({ id: 'Folder', description: 'A folder of workflows' });
export type FolderResponse = z.infer<typeof FolderResponse>;

export const ListFoldersResponse = pageSchema(FolderResponse).meta({ id: 'FolderPage' });

const folderName = boundedText(1, 100).refine((value) => value.trim() === value, {
  error: 'must not begin or end with a space',
});
const parentFolderId = boundedText(1, 100).nullable().meta({ example: null });

export const CreateFolderRequest = z.strictObject({
  name: folderName.describe('What people call it'),
  parentId: parentFolderId.default(null).describe('The folder around it; null: none'),
});

export const UpdateFolderRequest = z.strictObject({
  name: folderName.optional().describe('What people call it'),
  parentId: parentFolderId.optional().describe('The folder around it; null: none'),
});
