import { UnstyledButton } from '@mantine/core';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { MenuButton } from '@/components/ui/MenuButton';
import { WORKFLOW_LOOK } from '@/components/ui/states/status';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { useDraft } from '../draft/draft';
import classes from '../EditorBar.module.css';
import { StatusChoice } from '../lazy';

export function StatusMenu({ onPick }: { onPick(status: WorkflowStatus): void }) {
  const { status, liveVersion } = useDraft((draft) => draft.saved);
  const look = WORKFLOW_LOOK[status];
  const version = status === 'draft' ? '' : ` · version ${liveVersion}`;
  return (
    <MenuButton menu={StatusChoice} menuProps={{ status, onPick }}>
      <UnstyledButton display="flex" aria-label={`Status: ${look.label}${version}. Change`}>
        <StatusBadge look={look}>
          <span className={classes.version}>{version}</span>
        </StatusBadge>
      </UnstyledButton>
    </MenuButton>
  );
}
