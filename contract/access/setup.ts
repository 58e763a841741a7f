import { z } from 'zod';
import '../in-browsers';

/** Whether the service has no owner yet. */
export const SetupState = z.object({ needed: z.boolean() }).meta({ id: 'SetupState' });
export type SetupState = z.infer<typeof SetupState>;

/** The first owner with the new workspace. */
export const SetupDone = z
  .object({ userId: z.string(), email: z.string(), workspaceId: z.string() })
  .meta({ id: 'SetupDone' });
export type SetupDone = z.infer<typeof SetupDone>;
