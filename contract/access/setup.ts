import { z } from 'zod';
import '../in-browsers';

/** Whether the service has no owner yet. */
export const SetupStateResponse = z
  .object({ needed: z.boolean().describe('Whether the first owner is missing') })
  .meta({ id: 'SetupState', description: 'Whether the installation still needs its first owner' });
export type SetupStateResponse = z.infer<typeof SetupStateResponse>;

/** The first owner with the new workspace. */
export const CreateOwnerResponse = z
  .object({
    userId: z.string().describe('Of the first owner'),
    email: z.string().describe('Where mail to the person goes'),
    workspaceId: z.string().describe('Of the first one'),
  })
  .meta({ id: 'SetupDone', description: 'The first owner and workspace of the installation' });
export type CreateOwnerResponse = z.infer<typeof CreateOwnerResponse>;
