'use client';

import { Button, Stack, Text, Title } from '@mantine/core';
import Link from 'next/link';

/** Stands in place of an invitation that can't be accepted, and doesn't tell why. */
export function InvitationOver() {
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>This invitation is over</Title>
        <Text c="dimmed" mt={4}>
          It was used, taken back, or is older than seven days. Ask for a new one.
        </Text>
      </div>
      <Button size="md" variant="light" component={Link} href="/login">
        Sign in
      </Button>
    </Stack>
  );
}
