import { Stack, Text } from '@mantine/core';
import { Enrolment } from '@/components/auth/Enrolment';
import { VerifySecondFactor } from '@/components/auth/VerifySecondFactor';
import { ScrollingPage } from '@/components/ui/page/ScrollingPage';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { PageSection } from '@/components/ui/page/PageSection';
import { LeaveInstead } from './LeaveInstead';

/** Takes the place of every page until the second factor is set up, or verified (`isProof`). */
export function EnrolmentPage({ isProof, onDone }: { isProof: boolean; onDone(): void }) {
  if (isProof) {
    return (
      <ScrollingPage>
        <PageHeader
          title="Second factor required"
          summary="This session is not verified with your second factor yet."
        />
        <PageSection title="Verify your second factor">
          <VerifySecondFactor onDone={onDone} />
        </PageSection>
      </ScrollingPage>
    );
  }
  return (
    <ScrollingPage>
      <PageHeader title="Second factor required" summary="Your workspace requires a second factor." />
      <Stack gap="lg">
        <PageSection title="Set up an authenticator app">
          <Text size="sm" c="dimmed" mb="md">
            You can use any app that shows six-digit codes.
          </Text>
          <Enrolment onDone={onDone} />
        </PageSection>
        <LeaveInstead />
      </Stack>
    </ScrollingPage>
  );
}
