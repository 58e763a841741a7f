import { Button, Modal, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { MemberResponse } from '@/contract/workspace';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { DeviceList } from '../account/DeviceList';

interface Props {
  workspaceId: string;
  member: MemberResponse;
  onClose(): void;
}

/** The sessions of a member, to end one or all. */
export function MemberSessions({ workspaceId: id, member, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const userId = member.userId ?? '';
  const sessions = useQuery(trpc.sessions.listOfMember.queryOptions({ params: { id, userId }, query: { limit: 100 } }));
  const end = useMutation(trpc.sessions.deleteOneOfMember.mutationOptions({ onSuccess: refresh }));
  const endAll = useMutation(trpc.sessions.deleteOfMember.mutationOptions({ onSuccess: refresh }));
  return (
    <Modal opened onClose={onClose} size="lg" title={`Sessions of ${member.name || member.email}`}>
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
            Sign out all sessions
          </Button>
        )}
      </Stack>
    </Modal>
  );
}
