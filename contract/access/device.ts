import { z } from 'zod';
import { Timestamp, page } from '../text';

/** A session on a device: origin and sign-in method. */
export const Session = z
  .object({
    id: z.string(),
    isCurrent: z.boolean(),
    method: z.enum(['password', 'sso']),
    provider: z.string().nullable().meta({ description: 'Name of the sign-in provider' }),
    ipAddress: z.string(),
    userAgent: z.string(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.meta({ description: 'Time of the latest request, accurate to one minute' }),
    expiresAt: Timestamp.meta({ description: 'Expiry without further activity' }),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

export const SessionPage = page(Session).meta({ id: 'SessionPage' });
