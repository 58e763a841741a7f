'use client';

import { Stack } from '@mantine/core';
import { PasswordSettings } from './PasswordSettings';
import { SecondFactor } from './SecondFactor';
import { SessionList } from './SessionList';

/** Security settings of the own account: second factor, password and sessions. */
export function SecuritySettings() {
  return (
    <Stack gap="lg">
      <SecondFactor />
      <PasswordSettings />
      <SessionList />
    </Stack>
  );
}
