'use client';

import { Button, Stack, Text, Title } from '@mantine/core';
import { AppLink } from '@/components/ui/AppLink';

/** Shown for an invitation that can't be accepted. It gives no reason, so that tokens can't be probed. */
export function InvitationOver() {
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>This invitation is no longer valid</Title>
        <Text c="dimmed" mt={4}>
          It was used or revoked, or it is older than seven days. Ask for a new invitation.
        </Text>
      </div>
      <Button size="md" variant="light" component={AppLink} href="/login">
        Sign in
      </Button>
    </Stack>
  );
}
