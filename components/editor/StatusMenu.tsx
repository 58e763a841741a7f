import { UnstyledButton } from '@mantine/core';
import type { WorkflowStatus } from '@/contract/workflow';
import { MenuButton } from '../ui/MenuButton';
import { WORKFLOW_LOOK } from '../ui/status';
import { StatusBadge } from '../ui/StatusBadge';
import { useDraft } from './draft';
import { StatusChoice } from './parts';

export function StatusMenu({ onPick }: { onPick(status: WorkflowStatus): void }) {
  const { status, liveVersion } = useDraft((draft) => draft.saved);
  const look = WORKFLOW_LOOK[status];
  const label = status === 'draft' ? look.label : `${look.label} · version ${liveVersion}`;
  return (
    <MenuButton menu={StatusChoice} given={{ status, onPick }}>
      <UnstyledButton display="flex" aria-label={`Status: ${label}. Change`}>
        <StatusBadge look={{ ...look, label }} />
      </UnstyledButton>
    </MenuButton>
  );
}
