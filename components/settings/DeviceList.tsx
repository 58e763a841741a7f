import { Stack, Text } from '@mantine/core';
import type { ComponentProps } from 'react';
import type { Session } from '@/contract/device';
import { sentence } from '../client/problem';
import { ErrorNote } from '../ui/ErrorNote';
import { Listing } from '../ui/Listing';
import { SessionRow } from './SessionRow';

interface Props {
  sessions: ComponentProps<typeof Listing<Session>>['query'];
  /** The session that is being ended. */
  endingId: string | undefined;
  /** Why one couldn't be ended. */
  error: unknown;
  onEnd(id: string): void;
}

/** Where somebody is signed in: each device can be signed out by itself. */
export function DeviceList({ sessions, endingId, error, onEnd }: Props) {
  return (
    <Stack gap="sm">
      <ErrorNote>{error ? sentence(error) : null}</ErrorNote>
      <Listing of="sessions" query={sessions} empty={<Text c="dimmed">Nowhere.</Text>}>
        {(items) =>
          items.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isBusy={session.id === endingId}
              onEnd={() => onEnd(session.id)}
            />
          ))
        }
      </Listing>
    </Stack>
  );
}
