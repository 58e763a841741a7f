import { Button, Modal, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Member } from '@/contract/workspace';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { DeviceList } from './DeviceList';

interface Props {
  workspaceId: string;
  member: Member;
  onClose(): void;
}

/** Where a member is signed in: each device can be signed out by itself, or all together. */
export function MemberSessions({ workspaceId: id, member, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const userId = member.userId ?? '';
  const sessions = useQuery(trpc.sessions.listOfMember.queryOptions({ params: { id, userId }, query: { limit: 100 } }));
  const end = useMutation(trpc.sessions.deleteOneOfMember.mutationOptions({ onSuccess: refresh }));
  const endAll = useMutation(trpc.sessions.deleteOfMember.mutationOptions({ onSuccess: refresh }));
  return (
    <Modal opened onClose={onClose} size="lg" title={`Where ${member.name || member.email} is signed in`}>
      <Stack gap="sm">
        <DeviceList
          sessions={sessions}
          endingId={end.isPending ? end.variables.params.sessionId : undefined}
          error={end.error ?? endAll.error}
          onEnd={(sessionId) => end.mutate({ params: { id, userId, sessionId } })}
        />
        {(sessions.data?.total ?? 0) > 1 && (
          <Button
            variant="default"
            w="fit-content"
            loading={endAll.isPending}
            onClick={() => endAll.mutate({ params: { id, userId } })}
          >
            Sign out everywhere
          </Button>
        )}
      </Stack>
    </Modal>
  );
}
