import { Stack, Text } from '@mantine/core';
import type { ComponentProps } from 'react';
import type { SessionResponse } from '@/contract/access/device-session';
import { apiErrorSentence } from '@/components/client/api-error';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { QueryList } from '@/components/ui/lists/QueryList';
import { SessionRow } from './SessionRow';

interface Props {
  sessions: ComponentProps<typeof QueryList<SessionResponse>>['query'];
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
      <FormErrorAlert>{error ? apiErrorSentence(error) : null}</FormErrorAlert>
      <QueryList of="sessions" query={sessions} empty={<Text c="dimmed">No sessions.</Text>}>
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
      </QueryList>
    </Stack>
  );
}
