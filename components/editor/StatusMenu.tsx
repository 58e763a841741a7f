import { UnstyledButton } from '@mantine/core';
import type { WorkflowStatus } from '@/contract/workflow';
import { MenuButton } from '../ui/MenuButton';
import { WORKFLOW_LOOK } from '../ui/status';
import { StatusBadge } from '../ui/StatusBadge';
import { useDraft } from './draft';
import { StatusChoice } from './parts';

export function StatusMenu({ onPick }: { onPick(status: WorkflowStatus): void }) {
  const status = useDraft((draft) => draft.saved.status);
  return (
    <MenuButton menu={StatusChoice} given={{ status, onPick }}>
      <UnstyledButton display="flex" aria-label={`Status: ${WORKFLOW_LOOK[status].label}. Change`}>
        <StatusBadge look={WORKFLOW_LOOK[status]} />
      </UnstyledButton>
    </MenuButton>
  );
}
