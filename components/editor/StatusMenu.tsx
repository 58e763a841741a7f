import { UnstyledButton } from '@mantine/core';
import type { WorkflowStatus } from '@/contract/workflow';
import { MenuButton } from '../ui/MenuButton';
import { WORKFLOW_LOOK } from '../ui/status';
import { StatusBadge } from '../ui/StatusBadge';
import { useDraft } from './draft';
import classes from './EditorBar.module.css';
import { StatusChoice } from './parts';

export function StatusMenu({ onPick }: { onPick(status: WorkflowStatus): void }) {
  const { status, liveVersion } = useDraft((draft) => draft.saved);
  const look = WORKFLOW_LOOK[status];
  const version = status === 'draft' ? '' : ` · version ${liveVersion}`;
  return (
    <MenuButton menu={StatusChoice} given={{ status, onPick }}>
      <UnstyledButton display="flex" aria-label={`Status: ${look.label}${version}. Change`}>
        <StatusBadge look={look}>
          <span className={classes.version}>{version}</span>
        </StatusBadge>
      </UnstyledButton>
    </MenuButton>
  );
}
