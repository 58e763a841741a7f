'use client';

import { Alert, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ApiClientProvider } from '@/components/client/ApiClientProvider';
import { PasswordForm } from './PasswordForm';
import { describeSsoFailure, describeRefusal, type SignInRefusal } from './refusal';
import { SecondFactorForm } from './SecondFactorForm';
import { requestSession } from './signIn';
import { SsoForm } from './SsoForm';

interface Props {
  returnTo: string;
  /** There is no account yet: the set-up link that the service printed at start creates the first one. */
  isOwnerNeeded: boolean;
  /** Anyone may create an account. */
  isSignUpOpen: boolean;
  /** Why a sign-in through a provider failed. */
  ssoReason?: string;
}

interface LoginCredentials {
  email: string;
  password: string;
}

/** Sign-in with a password and, where set up, a second factor; or through single sign-on. */
export function LoginForm(props: Props) {
  return (
    <ApiClientProvider>
      <LoginSteps {...props} />
    </ApiClientProvider>
  );
}

function LoginSteps({ returnTo, isOwnerNeeded, isSignUpOpen, ssoReason }: Props) {
  const [step, setStep] = useState<'password' | 'factor' | 'sso'>('password');
  const [claim, setClaim] = useState<LoginCredentials>({ email: '', password: '' });
  const [refusal, setRefusal] = useState<SignInRefusal | undefined>(describeSsoFailure(ssoReason));
  const [isBusy, setBusy] = useState(false);

  const go = (next: typeof step) => {
    setRefusal(undefined);
    setStep(next);
  };
  const submit = async (mfaCode?: string) => {
    setBusy(true);
    setRefusal(undefined);
    const answer = await requestSession(claim.email, claim.password, mfaCode);
    if (answer.isSignedIn) return location.assign(returnTo);
    setBusy(false);
    if (answer.code === 'MFA_REQUIRED') return setStep('factor');
    const why = describeRefusal(answer.code, answer.retryAfterSeconds, answer.reason);
    if (why.field === 'password') setStep('password');
    setRefusal(why);
  };
  const errorAt = (field: SignInRefusal['field']) => (refusal?.field === field ? refusal?.message : undefined);

  return (
    <Stack gap="md">
      <div>
        <Title order={1}>{step === 'factor' ? 'Second factor' : 'Sign in'}</Title>
        <Text c="dimmed" mt={4}>
          {LOGIN_STEP_LEADS[step]}
        </Text>
      </div>
      {isOwnerNeeded && (
        <Alert color="weld" title="There is no account yet">
          Open the set-up link that the service printed when it started.
        </Alert>
      )}
      {refusal && !refusal.field && (
        <Alert color="madder" role="alert">
          {refusal.message}
        </Alert>
      )}
      {step === 'password' && (
        <PasswordForm
          {...claim}
          error={errorAt('password')}
          isBusy={isBusy}
          isSignUpOpen={isSignUpOpen}
          onChange={(changes) => setClaim((before) => ({ ...before, ...changes }))}
          onSubmit={() => void submit()}
          onSso={() => go('sso')}
        />
      )}
      {step === 'factor' && (
        <SecondFactorForm
          error={errorAt('mfaCode')}
          isBusy={isBusy}
          onSubmit={(code) => void submit(code)}
          onBack={() => go('password')}
        />
      )}
      {step === 'sso' && <SsoForm email={claim.email} returnTo={returnTo} onBack={() => go('password')} />}
    </Stack>
  );
}

const LOGIN_STEP_LEADS = {
  password: 'Sign in to open your workflows.',
  factor: 'Enter the code from your authenticator app.',
  sso: 'Use your company account.',
};
