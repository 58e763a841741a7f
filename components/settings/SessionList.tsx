import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { ErrorNote } from '../ui/ErrorNote';
import { Listing } from '../ui/Listing';
import { Section } from '../ui/Section';
import { TimeAgo } from '../ui/TimeAgo';
import { deviceOf } from './device';

/** Where one is signed in, and the way to end it. */
export function SessionList() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const sessions = useQuery(trpc.sessions.list.queryOptions({ query: { limit: 100 } }));
  const end = useMutation(trpc.sessions.delete.mutationOptions({ onSuccess: refresh }));
  const endOthers = useMutation(trpc.sessions.deleteOthers.mutationOptions({ onSuccess: refresh }));
  const error = end.error ?? endOthers.error;
  return (
    <Section
      title="Where you are signed in"
      aside={
        <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate(undefined)}>
          Sign out everywhere else
        </Button>
      }
    >
      <Stack gap="sm">
        <ErrorNote>{error && sentence(error)}</ErrorNote>
        <Listing of="sessions" query={sessions} empty={<Text c="dimmed">Nowhere.</Text>}>
          {(items) =>
            items.map((session) => (
              <Group key={session.id} justify="space-between" gap="sm">
                <div>
                  <Group gap="xs">
                    <Text size="sm" fw={570}>
                      {deviceOf(session.userAgent)}
                    </Text>
                    {session.isCurrent && (
                      <Badge variant="light" tt="none">
                        This one
                      </Badge>
                    )}
                  </Group>
                  <Text size="xs" c="dimmed">
                    {session.ipAddress} · {session.provider ?? 'Password'} · last used{' '}
                    <TimeAgo at={session.lastUsedAt} />
                  </Text>
                </div>
                {!session.isCurrent && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Sign out ${deviceOf(session.userAgent)}`}
                    onClick={() => end.mutate({ params: { id: session.id } })}
                  >
                    Sign out
                  </Button>
                )}
              </Group>
            ))
          }
        </Listing>
      </Stack>
    </Section>
  );
}
