import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { proofRequestBody, EMPTY_PROOF, ProofFields } from '../account/ProofFields';
import { useMemberOptions } from '@/components/client/queries/useMemberOptions';

interface Props {
  workspace: { id: string; name: string };
  onClose(): void;
}

/** Transfers the ownership to another member; the caller becomes an admin. */
export function TransferWorkspace({ workspace: { id, name }, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const { me } = useCurrentUser();
  const people = useMemberOptions().filter(({ value }) => value !== me?.user.id);
  const [userId, setUserId] = useState<string | null>(null);
  const [proof, setProof] = useState(EMPTY_PROOF);
  const transfer = useMutation(
    trpc.workspaces.transfer.mutationOptions({
      onSuccess: (member) => {
        refresh();
        onClose();
        notifications.show({
          message: `${member.name || member.email} is now the owner of ${name}`,
          color: 'verdigris',
        });
      },
    }),
  );
  const { at, elsewhere } = splitFieldErrors(transfer.error, (field) =>
    ['userId', 'password', 'mfaCode'].includes(field),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (userId) transfer.mutate({ params: { id }, body: { userId, ...proofRequestBody(proof) } });
  };
  return (
    <Modal opened onClose={onClose} title={`Transfer ${name}`}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormErrorAlert>{elsewhere}</FormErrorAlert>
          <Text size="sm">You become an admin. Only the new owner can transfer the workspace back.</Text>
          <Select
            label="New owner"
            withAsterisk
            searchable
            placeholder={people.length === 0 ? 'No other members' : 'Choose a member'}
            data={people}
            value={userId}
            error={at.get('userId')}
            onChange={setUserId}
          />
          <ProofFields proof={proof} at={at} onChange={setProof} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="madder" loading={transfer.isPending} disabled={!userId}>
              Transfer ownership
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
