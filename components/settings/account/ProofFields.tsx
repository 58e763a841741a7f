import { PasswordInput, TextInput } from '@mantine/core';
import { useMe } from '@/components/client/useMe';

export interface Proof {
  password: string;
  mfaCode: string;
}

export const NO_PROOF: Proof = { password: '', mfaCode: '' };

/** The request fields of the proof, without empty ones. */
export const proofBody = ({ password, mfaCode }: Proof) => ({
  password: password || undefined,
  mfaCode: mfaCode.trim() || undefined,
});

interface Props {
  proof: Proof;
  at: ReadonlyMap<string, string>;
  onChange(proof: Proof): void;
}

/** Asks for the password and a code again before an action that can't be undone (re-authentication). */
export function ProofFields({ proof, at, onChange }: Props) {
  const { me } = useMe();
  return (
    <>
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        description="Leave empty if you sign in only with SSO."
        value={proof.password}
        error={at.get('password')}
        onChange={(event) => onChange({ ...proof, password: event.currentTarget.value })}
      />
      {me?.user.mfaEnabled && (
        <TextInput
          label="Second factor code"
          autoComplete="one-time-code"
          value={proof.mfaCode}
          error={at.get('mfaCode')}
          onChange={(event) => onChange({ ...proof, mfaCode: event.currentTarget.value })}
        />
      )}
    </>
  );
}
