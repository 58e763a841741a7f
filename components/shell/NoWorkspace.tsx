import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { EmptyWorkflowsArt } from '@/components/ui/art/EmptyWorkflowsArt';
import { ScrollingPage } from '@/components/ui/page/ScrollingPage';
import { CreateWorkspace } from './CreateWorkspace';

/** Shown to a user without any workspace. */
export function NoWorkspace() {
  const [isCreating, { open, close }] = useDisclosure(false);
  return (
    <ScrollingPage>
      <EmptyState
        art={<EmptyWorkflowsArt />}
        title="No workspace"
        action={<Button onClick={open}>New workspace</Button>}
      >
        Create a workspace, or ask for an invitation.
      </EmptyState>
      {isCreating && <CreateWorkspace onClose={close} />}
    </ScrollingPage>
  );
}
