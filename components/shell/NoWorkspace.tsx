import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { EmptyState } from '../ui/EmptyState';
import { LoomArt } from '../ui/LoomArt';
import { Page } from '../ui/Page';
import { CreateWorkspace } from './CreateWorkspace';

/** For whoever left, or was removed from, the last of their workspaces. */
export function NoWorkspace() {
  const [isCreating, { open, close }] = useDisclosure(false);
  return (
    <Page>
      <EmptyState
        art={<LoomArt />}
        title="You are in no workspace"
        action={<Button onClick={open}>New workspace</Button>}
      >
        Wait for an invitation, or make a workspace of your own.
      </EmptyState>
      {isCreating && <CreateWorkspace onClose={close} />}
    </Page>
  );
}
