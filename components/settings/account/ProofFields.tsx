import { PasswordInput, TextInput } from '@mantine/core';
import { useCurrentUser } from '@/components/client/useCurrentUser';

export interface ProofInput {
  password: string;
  mfaCode: string;
}

export const EMPTY_PROOF: ProofInput = { password: '', mfaCode: '' };

/** The request fields of the proof, without empty ones. */
export const proofRequestBody = ({ password, mfaCode }: ProofInput) => ({
  password: password || undefined,
  mfaCode: mfaCode.trim() || undefined,
});

interface Props {
  proof: ProofInput;
  at: ReadonlyMap<string, string>;
  onChange(proof: ProofInput): void;
}

/** Asks for the password and a code again before an action that can't be undone (re-authentication). */
export function ProofFields({ proof, at, onChange }: Props) {
  const { me } = useCurrentUser();
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
          withAsterisk
          autoComplete="one-time-code"
          value={proof.mfaCode}
          error={at.get('mfaCode')}
          onChange={(event) => onChange({ ...proof, mfaCode: event.currentTarget.value })}
        />
      )}
    </>
  );
}
