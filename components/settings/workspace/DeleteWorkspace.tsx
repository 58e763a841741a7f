import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { storeChosenWorkspace } from '@/components/client/chosen-workspace';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { proofRequestBody, EMPTY_PROOF, ProofFields } from '../account/ProofFields';

interface Props {
  workspace: { id: string; name: string };
  onClose(): void;
}

/** Asks for the name and re-authentication, because a deletion can't be undone. */
export function DeleteWorkspace({ workspace: { id, name }, onClose }: Props) {
  const trpc = useTRPC();
  const [typed, setTyped] = useState('');
  const [proof, setProof] = useState(EMPTY_PROOF);
  const remove = useMutation(
    trpc.workspaces.delete.mutationOptions({
      onSuccess: () => {
        storeChosenWorkspace(null);
        location.assign('/workflows');
      },
    }),
  );
  const { at, elsewhere } = splitFieldErrors(remove.error, (field) => ['name', 'password', 'mfaCode'].includes(field));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    remove.mutate({ params: { id }, body: { name: typed, ...proofRequestBody(proof) } });
  };
  return (
    <Modal opened onClose={onClose} title={`Delete ${name}?`}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormErrorAlert>{elsewhere}</FormErrorAlert>
          <Text size="sm">
            Deletes all workflows, runs, credentials, API keys and memberships. Active runs are cancelled. You can’t
            undo this. The service keeps audit log entries until their retention ends.
          </Text>
          <TextInput
            label={
              <>
                Type <Code>{name}</Code> to confirm
              </>
            }
            withAsterisk
            data-autofocus
            autoComplete="off"
            value={typed}
            error={at.get('name')}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <ProofFields proof={proof} at={at} onChange={setProof} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="madder" loading={remove.isPending} disabled={typed !== name}>
              Delete workspace
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
