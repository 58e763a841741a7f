import { z } from 'zod';
import { text } from './text';

/** A 6-digit code of the authenticator, or a backup code. */
export const SecondFactor = z.strictObject({ code: text(1, 50) });

export const MfaSetup = z
  .object({
    secret: z.string().meta({ description: 'Base32' }),
    otpauthUrl: z.string(),
    qrCode: z.string().meta({ description: 'The same as a data URL of an image' }),
    backupCodes: z.array(z.string()).length(10).meta({ description: 'Each works once. Shown here and never again' }),
  })
  .meta({ id: 'MfaSetup' });

export const MfaVerified = z
  .object({
    verified: z.literal(true),
    method: z.enum(['totp', 'backup_code']),
    backupCodesRemaining: z.number().int(),
  })
  .meta({ id: 'MfaVerified' });

export const MfaState = z
  .object({
    enabled: z.boolean(),
    required: z.boolean().meta({ description: 'A workspace of this person requires it' }),
    pending: z
      .enum(['enrol', 'prove'])
      .nullable()
      .meta({ description: 'What this sign-in must do before anything else: set a second factor up, or show it' }),
    backupCodesRemaining: z.number().int(),
  })
  .meta({ id: 'MfaState' });

export const BackupCodes = z.object({ backupCodes: z.array(z.string()).length(10) }).meta({ id: 'BackupCodes' });
