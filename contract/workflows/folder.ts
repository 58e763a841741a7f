import { z } from 'zod';
import { Timestamp, page, text } from '../text';

/** Folders above one another. */
export const MAX_FOLDER_DEPTH = 5;

/** A folder of workflows. It organizes them, and has no effect on permissions. */
export const Folder = z
  .object({
    id: z.string(),
    name: z.string(),
    parentId: z.string().nullable().meta({ description: 'The folder that it is in; null: the top level' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    createdBy: z.string().nullable(),
  })
  .meta({ id: 'Folder' });
export type Folder = z.infer<typeof Folder>;

export const FolderPage = page(Folder).meta({ id: 'FolderPage' });

const name = text(1, 100).refine((value) => value.trim() === value, { error: 'must not begin or end with a space' });
const parentId = text(1, 100).nullable().meta({ example: null });

export const FolderCreate = z.strictObject({ name, parentId: parentId.default(null) });

export const FolderUpdate = z.strictObject({ name: name.optional(), parentId: parentId.optional() });
