import { z } from 'zod';
import { Timestamp, page } from './text';

/** A login on a device: where it came from, and how. */
export const Session = z
  .object({
    id: z.string(),
    isCurrent: z.boolean(),
    method: z.enum(['password', 'sso']),
    provider: z.string().nullable().meta({ description: 'Name of the sign-in provider' }),
    ipAddress: z.string(),
    userAgent: z.string(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.meta({ description: 'Its latest call, to a minute' }),
    expiresAt: Timestamp.meta({ description: 'Unless it is used before' }),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

export const SessionPage = page(Session).meta({ id: 'SessionPage' });
