import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { fieldErrorsOf } from '../client/field-errors';
import { useTRPC } from '../client/trpc';
import { chooseWorkspace } from '../client/workspace';
import { ErrorNote } from '../ui/ErrorNote';
import { given, NO_PROOF, ProofFields } from './ProofFields';

interface Props {
  workspace: { id: string; name: string };
  onClose(): void;
}

/** Asks for the name and for proof: there is no way back. */
export function DeleteWorkspace({ workspace: { id, name }, onClose }: Props) {
  const trpc = useTRPC();
  const [typed, setTyped] = useState('');
  const [proof, setProof] = useState(NO_PROOF);
  const remove = useMutation(
    trpc.workspaces.delete.mutationOptions({
      onSuccess: () => {
        chooseWorkspace(null);
        location.assign('/workflows');
      },
    }),
  );
  const { at, elsewhere } = fieldErrorsOf(remove.error, (field) => ['name', 'password', 'mfaCode'].includes(field));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    remove.mutate({ params: { id }, body: { name: typed, ...given(proof) } });
  };
  return (
    <Modal opened onClose={onClose} title={`Delete ${name}?`}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <ErrorNote>{elsewhere}</ErrorNote>
          <Text size="sm">
            Workflows, runs, credentials, keys and memberships go for good; runs under way end now. Entries of the audit
            log are kept by the service until they are past their time.
          </Text>
          <TextInput
            label={
              <>
                Type <Code>{name}</Code> to go on
              </>
            }
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
