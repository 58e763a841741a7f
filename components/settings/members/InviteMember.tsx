import { Select, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toRoleOptions } from '@/components/client/role-names';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { CopyableField } from '@/components/ui/values/CopyableField';
import { CreateDialog } from '../CreateDialog';
import { useWorkspaceRoles } from '@/components/client/queries/useWorkspaceRoles';

interface Props {
  workspaceId: string;
  isOpen: boolean;
  onClose(): void;
}

/** Invites by email. The link is shown too, for installations without email. */
export function InviteMember({ workspaceId: id, isOpen, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const { data: roles } = useWorkspaceRoles();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('editor');
  const invite = useMutation(trpc.members.invite.mutationOptions({ onSuccess: refresh }));
  const { at, elsewhere } = splitFieldErrors(invite.error, (field) => field === 'email' || field === 'role');
  const close = () => {
    invite.reset();
    setEmail('');
    onClose();
  };
  const outcome = invite.data && (
    <>
      <Text size="sm">
        {invite.data.email} is invited. The link expires after 7 days. If email is configured, it was sent. It is shown
        only once.
      </Text>
      <CopyableField label="Invitation link" value={invite.data.inviteUrl} />
    </>
  );
  return (
    <CreateDialog
      isOpen={isOpen}
      title="Invite member"
      action="Send invitation"
      isBusy={invite.isPending}
      isComplete={email.trim() !== ''}
      problem={elsewhere}
      outcome={outcome}
      onSubmit={() => invite.mutate({ params: { id }, body: { email: email.trim(), role } })}
      onClose={close}
    >
      <TextInput
        label="Email"
        type="email"
        required
        data-autofocus
        value={email}
        error={at.get('email')}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Select
        label="Role"
        allowDeselect={false}
        data={toRoleOptions(roles?.data.map(({ name }) => name) ?? [role])}
        value={role}
        error={at.get('role')}
        onChange={(value) => value && setRole(value)}
      />
    </CreateDialog>
  );
}
