import { Anchor, Button, PinInput, Stack, Text, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';

interface Props {
  error?: string;
  isBusy: boolean;
  onSubmit(code: string): void;
  onBack(): void;
}

/** Asks for the six-digit code of the authenticator app, or for a backup code. */
export function SecondFactorForm({ error, isBusy, onSubmit, onBack }: Props) {
  const [code, setCode] = useState('');
  const [isBackup, setBackup] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit(code.trim());
  };
  const change = () => {
    setCode('');
    setBackup(!isBackup);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {isBackup ? (
          <TextInput
            label="Backup code"
            autoComplete="off"
            autoFocus
            size="md"
            value={code}
            error={error}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        ) : (
          <div role="group" aria-label="Six-digit code">
            <PinInput
              length={6}
              type="number"
              oneTimeCode
              autoFocus
              size="lg"
              getInputProps={(digit) => ({ 'aria-label': `Digit ${digit + 1}` })}
              value={code}
              error={error !== undefined}
              onChange={setCode}
              onComplete={onSubmit}
            />
            {error && (
              <Text c="var(--mantine-color-error)" size="sm" mt={6} role="alert">
                {error}
              </Text>
            )}
          </div>
        )}
        <Button type="submit" size="md" mt="xs" loading={isBusy} disabled={code.trim().length < 6}>
          Continue
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={change}>
          {isBackup ? 'Use the authenticator app' : 'Use a backup code'}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          Use another account
        </Anchor>
      </Stack>
    </form>
  );
}
