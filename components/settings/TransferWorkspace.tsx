import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { fieldErrorsOf } from '../client/field-errors';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { useMe } from '../shell/useMe';
import { ErrorNote } from '../ui/ErrorNote';
import { given, NO_PROOF, ProofFields } from './ProofFields';
import { usePeople } from './usePeople';

interface Props {
  workspace: { id: string; name: string };
  onClose(): void;
}

/** Makes another member the owner; one stays as an admin. */
export function TransferWorkspace({ workspace: { id, name }, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const { me } = useMe();
  const people = usePeople().filter(({ value }) => value !== me?.user.id);
  const [userId, setUserId] = useState<string | null>(null);
  const [proof, setProof] = useState(NO_PROOF);
  const transfer = useMutation(
    trpc.workspaces.transfer.mutationOptions({
      onSuccess: (member) => {
        refresh();
        onClose();
        notifications.show({ message: `${member.name || member.email} owns ${name} now`, color: 'verdigris' });
      },
    }),
  );
  const { at, elsewhere } = fieldErrorsOf(transfer.error, (field) => ['userId', 'password', 'mfaCode'].includes(field));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (userId) transfer.mutate({ params: { id }, body: { userId, ...given(proof) } });
  };
  return (
    <Modal opened onClose={onClose} title={`Hand ${name} over`}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <ErrorNote>{elsewhere}</ErrorNote>
          <Text size="sm">You become an admin. Only the new owner can give it back.</Text>
          <Select
            label="New owner"
            searchable
            placeholder={people.length === 0 ? 'There is nobody else here' : 'Choose a member'}
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
              Hand over
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
