import { Stack, Text } from '@mantine/core';
import type { ComponentProps } from 'react';
import type { Session } from '@/contract/access/device';
import { sentence } from '@/components/client/problem';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { Listing } from '@/components/ui/lists/Listing';
import { SessionRow } from './SessionRow';

interface Props {
  sessions: ComponentProps<typeof Listing<Session>>['query'];
  /** Id of the session that is being ended. */
  endingId: string | undefined;
  /** Why a session could not be ended. */
  error: unknown;
  onEnd(id: string): void;
}

/** The sessions of a user, each with a sign-out button. */
export function DeviceList({ sessions, endingId, error, onEnd }: Props) {
  return (
    <Stack gap="sm">
      <ErrorNote>{error ? sentence(error) : null}</ErrorNote>
      <Listing of="sessions" query={sessions} empty={<Text c="dimmed">No sessions.</Text>}>
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
