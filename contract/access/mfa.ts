import { z } from 'zod';
import { boundedText } from '../text';

/** A 6-digit code of the authenticator app, or a backup code. */
export const SecondFactorCode = z.strictObject({
  code: boundedText(1, 50).describe('A code of the authenticator app, or a backup code'),
});

export const MfaSetupResponse = z
  .object({
    secret: z.string().meta({ description: 'Base32' }),
    otpauthUrl: z.string().describe('The address for an authenticator app, as a QR code'),
    qrCode: z.string().meta({ description: 'The URI as a QR code, a data URL of an image' }),
    backupCodes: z.array(z.string()).length(10).meta({ description: 'Each works once. Returned only here' }),
  })
  .meta({ id: 'MfaSetup', description: 'The secret to add to an authenticator app' });

export const VerifyMfaResponse = z
  .object({
    verified: z.literal(true).describe('Whether the code was accepted'),
    method: z.enum(['totp', 'backup_code']).describe('The kind of the accepted code'),
    backupCodesRemaining: z.number().int().describe('The number of backup codes that are left'),
  })
  .meta({ id: 'MfaVerified', description: 'A second factor that was accepted' });

export const MfaStateResponse = z
  .object({
    enabled: z.boolean().describe('False: it is switched off'),
    required: z.boolean().meta({ description: 'Whether a workspace of this user requires it' }),
    offered: z.boolean().meta({ description: 'Whether a workspace of this user offers or requires it' }),
    pending: z
      .enum(['enrol', 'prove'])
      .nullable()
      .meta({ description: 'What the session must do before other requests: set up the second factor, or verify it' }),
    backupCodesRemaining: z.number().int().describe('The number of backup codes that are left'),
  })
  .meta({ id: 'MfaState', description: 'The second factor of the signed-in user' });

export const BackupCodesResponse = z
  .object({ backupCodes: z.array(z.string()).length(10).describe('Each works once; shown once') })
  .meta({ id: 'BackupCodes', description: 'Codes that replace the authenticator app, each once; shown once' });
