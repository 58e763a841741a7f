import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconShieldCheck, IconShieldOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../client/trpc';
import { FailureNote } from '../ui/FailureNote';
import { Section } from '../ui/Section';
import { StatusBadge } from '../ui/StatusBadge';
import { BackupCodes } from './BackupCodes';
import { Enrolment } from './Enrolment';
import { SpendCode } from './SpendCode';

/** Sets the second factor up, renews its backup codes, and turns it off. */
export function SecondFactor() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.mfa.get.queryOptions());
  const [step, setStep] = useState<'enrol' | 'renew' | 'off'>();
  const [codes, setCodes] = useState<string[]>();
  const done = () => setStep(undefined);
  return (
    <Section
      title="Second factor"
      summary="A code of your authenticator app, asked for along with the password."
      aside={
        data && (
          <StatusBadge
            look={
              data.enabled
                ? { label: 'On', icon: IconShieldCheck, tone: 'done' }
                : { label: 'Off', icon: IconShieldOff, tone: 'idle' }
            }
          />
        )
      }
    >
      {error && <FailureNote title="It can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={60} />}
      {codes && <BackupCodes codes={codes} onDone={() => setCodes(undefined)} />}
      {data && !data.enabled && step !== 'enrol' && <Button onClick={() => setStep('enrol')}>Set up</Button>}
      {step === 'enrol' && <Enrolment onDone={done} onCancel={done} />}
      {data?.enabled && !step && !codes && (
        <Stack gap="sm">
          <Text size="sm">{data.backupCodesRemaining} of 10 backup codes are left.</Text>
          <Group gap="xs">
            <Button variant="default" onClick={() => setStep('renew')}>
              New backup codes
            </Button>
            <Button variant="default" onClick={() => setStep('off')}>
              Turn off
            </Button>
          </Group>
        </Stack>
      )}
      {(step === 'renew' || step === 'off') && (
        <SpendCode
          purpose={step}
          onDone={(renewed) => {
            setCodes(renewed);
            done();
          }}
          onCancel={done}
        />
      )}
    </Section>
  );
}
