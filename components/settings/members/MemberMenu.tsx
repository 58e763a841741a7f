import { ActionIcon, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberResponse } from '@/contract/workspace';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { usePermissions } from '@/components/client/usePermissions';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';
import { MemberRoles } from './MemberRoles';
import { MemberSessions } from './MemberSessions';
import { ObjectRoles } from './ObjectRoles';

type MemberAction = 'remove' | 'resetMfa' | 'unlock';
type MemberDialog = 'roles' | 'objects' | 'sessions';

const MEMBER_ACTION_TEXTS: Record<MemberAction, { label: string; action: string; done: string; what: string }> = {
  resetMfa: {
    label: 'Reset second factor …',
    action: 'Reset',
    done: 'Second factor reset',
    what: 'Ends all sessions of the member and removes the second factor. They can set up a new one at the next sign-in.',
  },
  unlock: {
    label: 'Unlock sign-in …',
    action: 'Unlock',
    done: 'Sign-in unlocked',
    what: 'If the member is blocked after failed sign-in attempts, they can try again at once.',
  },
  remove: {
    label: 'Remove …',
    action: 'Remove',
    done: 'Member removed',
    what: 'The member loses access at once. Their API keys stop working.',
  },
};

export function MemberMenu({ workspaceId: id, member }: { workspaceId: string; member: MemberResponse }) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const can = usePermissions();
  const mayUpdate = can('member:update') !== 'none';
  const [action, setAction] = useState<MemberAction>();
  const [dialog, setDialog] = useState<MemberDialog>();
  const mutations: Record<
    MemberAction,
    ReturnType<typeof useMutation<unknown, unknown, { params: { id: string; userId: string } }>>
  > = {
    remove: useMutation(trpc.members.remove.mutationOptions()),
    resetMfa: useMutation(trpc.members.resetMfa.mutationOptions()),
    unlock: useMutation(trpc.members.unlock.mutationOptions()),
  };
  const userId = member.userId ?? '';
  const chosen = action && { ...MEMBER_ACTION_TEXTS[action], mutation: mutations[action] };
  const confirm = () =>
    chosen?.mutation.mutate(
      { params: { id, userId } },
      {
        onSuccess: () => {
          setAction(undefined);
          refresh();
          notifications.show({ message: chosen.done, color: 'verdigris' });
        },
      },
    );
  const closeDialog = () => setDialog(undefined);
  const close = () => {
    chosen?.mutation.reset();
    setAction(undefined);
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size="lg" aria-label={`Actions for ${member.email}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={!mayUpdate} onClick={() => setDialog('roles')}>
            Change roles …
          </Menu.Item>
          <Menu.Item onClick={() => setDialog('objects')}>Roles on single objects …</Menu.Item>
          <Menu.Item disabled={!mayUpdate} onClick={() => setDialog('sessions')}>
            Sessions …
          </Menu.Item>
          <Menu.Divider />
          {(Object.keys(MEMBER_ACTION_TEXTS) as MemberAction[]).map((each) => (
            <Menu.Item
              key={each}
              color={each === 'remove' ? 'madder' : undefined}
              disabled={each === 'remove' ? can('member:delete') === 'none' : !mayUpdate}
              onClick={() => setAction(each)}
            >
              {MEMBER_ACTION_TEXTS[each].label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'roles' && <MemberRoles workspaceId={id} member={member} onClose={closeDialog} />}
      {dialog === 'objects' && <ObjectRoles member={member} onClose={closeDialog} />}
      {dialog === 'sessions' && <MemberSessions workspaceId={id} member={member} onClose={closeDialog} />}
      <ConfirmDialog
        isOpen={action !== undefined}
        title={member.name || member.email}
        action={chosen?.action ?? ''}
        isBusy={chosen?.mutation.isPending ?? false}
        error={chosen?.mutation.error}
        onConfirm={confirm}
        onClose={close}
      >
        <Text>{chosen?.what}</Text>
      </ConfirmDialog>
    </>
  );
}
