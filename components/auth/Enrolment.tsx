import { Button, Group, Image, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, type SubmitEvent } from 'react';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { CopyableField } from '@/components/ui/values/CopyableField';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { BackupCodes } from './BackupCodes';

interface Props {
  onDone(): void;
  onCancel?(): void;
}

/** Sets up a second factor in three steps: QR code, first code, backup codes. */
export function Enrolment({ onDone, onCancel }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const [code, setCode] = useState('');
  const { mutate: begin, ...setUp } = useMutation(trpc.mfa.create.mutationOptions());
  const verify = useMutation(trpc.mfa.verify.mutationOptions());
  useEffect(() => begin(undefined), [begin]);

  const { at, elsewhere } = splitFieldErrors(verify.error, (field) => field === 'code');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    verify.mutate({ body: { code: code.trim() } });
  };
  const finish = () => {
    refresh();
    onDone();
  };
  if (setUp.error)
    return (
      <RequestErrorAlert
        title="The second factor can’t be set up"
        error={setUp.error}
        onRetry={() => begin(undefined)}
      />
    );
  if (!setUp.data) return <Skeleton h={220} />;
  const { qrCode, secret, backupCodes } = setUp.data;
  if (verify.data) return <BackupCodes codes={backupCodes} onDone={finish} />;
  return (
    <form onSubmit={submit}>
      <Stack maw={460}>
        <FormErrorAlert>{elsewhere}</FormErrorAlert>
        <Text size="sm">Scan the QR code with an authenticator app, or enter the secret there.</Text>
        <Image src={qrCode} alt="QR code for an authenticator app" w={184} h={184} radius="md" bg="white" p={6} />
        <CopyableField label="Secret" value={secret} />
        <TextInput
          label="First code"
          description="The six digits that the app shows."
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={code}
          error={at.has('code') && 'This is not the code that the app shows now.'}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group gap="xs">
          <Button type="submit" loading={verify.isPending}>
            Turn on
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
