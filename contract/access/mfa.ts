import { z } from 'zod';
import { text } from '../text';

/** A 6-digit code of the authenticator app, or a backup code. */
export const SecondFactor = z.strictObject({ code: text(1, 50) });

export const MfaSetup = z
  .object({
    secret: z.string().meta({ description: 'Base32' }),
    otpauthUrl: z.string(),
    qrCode: z.string().meta({ description: 'The URI as a QR code, a data URL of an image' }),
    backupCodes: z.array(z.string()).length(10).meta({ description: 'Each works once. Returned only here' }),
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
    required: z.boolean().meta({ description: 'Whether a workspace of this user requires it' }),
    offered: z.boolean().meta({ description: 'Whether a workspace of this user offers or requires it' }),
    pending: z
      .enum(['enrol', 'prove'])
      .nullable()
      .meta({ description: 'What the session must do before other requests: set up the second factor, or verify it' }),
    backupCodesRemaining: z.number().int(),
  })
  .meta({ id: 'MfaState' });

export const BackupCodes = z.object({ backupCodes: z.array(z.string()).length(10) }).meta({ id: 'BackupCodes' });
