import { z } from 'zod';
import { CreatedAt, ObjectId } from '../shared-fields';
import { Timestamp, pageSchema } from '../text';

/** A session on a device: origin and sign-in method. */
export const SessionResponse = z
  .object({
    id: ObjectId,
    isCurrent: z.boolean().describe('Whether it is the session of this call'),
    method: z.enum(['password', 'sso']).describe('How the user signed in'),
    provider: z.string().nullable().meta({ description: 'Name of the sign-in provider' }),
    ipAddress: z.string().describe('The address of the caller'),
    userAgent: z.string().describe('The program of the caller'),
    createdAt: CreatedAt,
    lastUsedAt: Timestamp.meta({ description: 'Time of the latest request, accurate to one minute' }),
    expiresAt: Timestamp.meta({ description: 'Expiry without further activity' }),
  })
  .meta({ id: 'Session', description: 'An open session of the signed-in user' });
export type SessionResponse = z.infer<typeof SessionResponse>;

export const ListSessionsResponse = pageSchema(SessionResponse).meta({ id: 'SessionPage' });
