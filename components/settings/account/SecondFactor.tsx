import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconShieldCheck, IconShieldOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { PageSection } from '@/components/ui/page/PageSection';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { BackupCodes } from '@/components/auth/BackupCodes';
import { Enrolment } from '@/components/auth/Enrolment';
import { ConfirmWithCode } from '@/components/auth/ConfirmWithCode';

/** Sets up the second factor, renews its backup codes, or turns it off. */
export function SecondFactor() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.mfa.get.queryOptions());
  const [step, setStep] = useState<'enrol' | 'renew' | 'off'>();
  const [codes, setCodes] = useState<string[]>();
  const done = () => setStep(undefined);
  return (
    <PageSection
      title="Second factor"
      summary="Sign-in asks for a code of your authenticator app after the password."
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
      {error && (
        <RequestErrorAlert title="The second factor can’t be shown" error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton h={60} />}
      {codes && <BackupCodes codes={codes} onDone={() => setCodes(undefined)} />}
      {data && !data.enabled && data.offered && step !== 'enrol' && (
        <Button onClick={() => setStep('enrol')}>Set up</Button>
      )}
      {data && !data.enabled && !data.offered && (
        <Text size="sm">
          Your workspaces do not offer a second factor. An owner can offer or require it under Security policies.
        </Text>
      )}
      {step === 'enrol' && <Enrolment onDone={done} onCancel={done} />}
      {data?.enabled && !step && !codes && (
        <Stack gap="sm">
          <Text size="sm">{data.backupCodesRemaining} of 10 backup codes left.</Text>
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
        <ConfirmWithCode
          purpose={step}
          onDone={(renewed) => {
            setCodes(renewed);
            done();
          }}
          onCancel={done}
        />
      )}
    </PageSection>
  );
}
