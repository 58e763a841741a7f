'use client';

import { Stack } from '@mantine/core';
import { PasswordSettings } from './PasswordSettings';
import { SecondFactor } from './SecondFactor';
import { SessionList } from './SessionList';

/** What keeps one's own account one's own. */
export function SecuritySettings() {
  return (
    <Stack gap="lg">
      <SecondFactor />
      <PasswordSettings />
      <SessionList />
    </Stack>
  );
}
