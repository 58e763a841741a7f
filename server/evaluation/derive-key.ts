import { bulk, EvaluationFailed, pool, type Purpose } from './evaluation';

/** How the key of an encrypted SSH key is derived from its passphrase. */
export interface KeyDerivation {
  passphrase: string;
  salt: Buffer;
  rounds: number;
  /** Bytes of the result. */
  length: number;
}

/**
 * bcrypt_pbkdf, the key derivation of OpenSSH. It takes as long as the key asks for, so an evaluator process does it, within a limit. Throws
 * EvaluationFailed.
 */
export async function deriveKey(
  { passphrase, salt, rounds, length }: KeyDerivation,
  { workspaceId, signal }: Purpose,
): Promise<Buffer> {
  const job = { kind: 'derive-key', limits: bulk(), rounds, length } as const;
  const result = await pool().run(workspaceId, job, [passphrase, salt], signal);
  if (!result.ok) throw new EvaluationFailed(result.failure);
  return result.answer.texts[0] ?? Buffer.alloc(0);
}
