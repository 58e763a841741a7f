import { Select, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrorsOf } from '../client/field-errors';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { CopyField } from '../ui/CopyField';
import { CreateDialog } from './CreateDialog';
import { useRoles } from './useRoles';

interface Props {
  workspaceId: string;
  isOpen: boolean;
  onClose(): void;
}

/** Invites by email; the link is shown as well, for where no mail is set up. */
export function InviteMember({ workspaceId: id, isOpen, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const { data: roles } = useRoles();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('editor');
  const invite = useMutation(trpc.members.invite.mutationOptions({ onSuccess: refresh }));
  const { at, elsewhere } = fieldErrorsOf(invite.error, (field) => field === 'email' || field === 'role');
  const close = () => {
    invite.reset();
    setEmail('');
    onClose();
  };
  const outcome = invite.data && (
    <>
      <Text size="sm">
        {invite.data.email} is invited for 7 days. If mail is set up, the link is on its way; here it is as well, this
        once.
      </Text>
      <CopyField label="Invitation link" value={invite.data.inviteUrl} />
    </>
  );
  return (
    <CreateDialog
      isOpen={isOpen}
      title="Invite somebody"
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
        data={roles?.data.map(({ name }) => name) ?? [role]}
        value={role}
        error={at.get('role')}
        onChange={(value) => value && setRole(value)}
      />
    </CreateDialog>
  );
}
