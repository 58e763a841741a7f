import { bulkWorkLimits, EvaluationFailedError, evaluatorPool, type EvaluationContext } from './evaluation';

/** How the key of an encrypted SSH key is derived from its passphrase. */
export interface SshKeyDerivation {
  passphrase: string;
  salt: Buffer;
  rounds: number;
  /** The length of the derived key, in bytes. */
  length: number;
}

/**
 * bcrypt_pbkdf, the key derivation of OpenSSH. It takes as long as the key asks for, so an evaluator process does it,
 * within a limit. Throws EvaluationFailed.
 */
export async function deriveSshKey(
  { passphrase, salt, rounds, length }: SshKeyDerivation,
  { workspaceId, signal }: EvaluationContext,
): Promise<Buffer> {
  const job = { kind: 'derive-key', limits: bulkWorkLimits(), rounds, length } as const;
  const result = await evaluatorPool().run(workspaceId, job, [passphrase, salt], signal);
  if (!result.ok) throw new EvaluationFailedError(result.failure);
  return result.message.texts[0] ?? Buffer.alloc(0);
}
