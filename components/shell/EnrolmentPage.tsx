import { Stack, Text } from '@mantine/core';
import { Enrolment } from '@/components/auth/Enrolment';
import { VerifySecondFactor } from '@/components/auth/VerifySecondFactor';
import { Page } from '@/components/ui/page/Page';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { Section } from '@/components/ui/page/Section';
import { LeaveInstead } from './LeaveInstead';

/** Takes the place of every page until the second factor is set up, or verified (`isProof`). */
export function EnrolmentPage({ isProof, onDone }: { isProof: boolean; onDone(): void }) {
  if (isProof) {
    return (
      <Page>
        <PageHeader
          title="Second factor required"
          summary="This session is not verified with your second factor yet."
        />
        <Section title="Verify your second factor">
          <VerifySecondFactor onDone={onDone} />
        </Section>
      </Page>
    );
  }
  return (
    <Page>
      <PageHeader title="Second factor required" summary="Your workspace requires a second factor." />
      <Stack gap="lg">
        <Section title="Set up an authenticator app">
          <Text size="sm" c="dimmed" mb="md">
            You can use any app that shows six-digit codes.
          </Text>
          <Enrolment onDone={onDone} />
        </Section>
        <LeaveInstead />
      </Stack>
    </Page>
  );
}
