import { PasswordInput, TextInput } from '@mantine/core';
import { useMe } from '../shell/useMe';

export interface Proof {
  password: string;
  mfaCode: string;
}

export const NO_PROOF: Proof = { password: '', mfaCode: '' };

/** The proof as the service takes it: what is empty is left out. */
export const given = ({ password, mfaCode }: Proof) => ({
  password: password || undefined,
  mfaCode: mfaCode.trim() || undefined,
});

interface Props {
  proof: Proof;
  at: ReadonlyMap<string, string>;
  onChange(proof: Proof): void;
}

/** Before what can't be undone: that it is still the one who signed in. */
export function ProofFields({ proof, at, onChange }: Props) {
  const { me } = useMe();
  return (
    <>
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        description="Leave it empty if you only sign in through your company."
        value={proof.password}
        error={at.get('password')}
        onChange={(event) => onChange({ ...proof, password: event.currentTarget.value })}
      />
      {me?.user.mfaEnabled && (
        <TextInput
          label="Code of your second factor"
          autoComplete="one-time-code"
          value={proof.mfaCode}
          error={at.get('mfaCode')}
          onChange={(event) => onChange({ ...proof, mfaCode: event.currentTarget.value })}
        />
      )}
    </>
  );
}
