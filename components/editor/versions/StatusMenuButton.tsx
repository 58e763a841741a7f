import { UnstyledButton } from '@mantine/core';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { MenuButton } from '@/components/ui/MenuButton';
import { WORKFLOW_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { useDraft } from '../draft/draft';
import classes from '../EditorBar.module.css';
import { LazyStatusMenuItems } from '../lazy-components';

export function StatusMenuButton({ onPick }: { onPick(status: WorkflowStatus): void }) {
  const { status, liveVersion } = useDraft((draft) => draft.saved);
  const look = WORKFLOW_STATUS_STYLE[status];
  const version = status === 'draft' ? '' : ` · version ${liveVersion}`;
  return (
    <MenuButton menu={LazyStatusMenuItems} menuProps={{ status, onPick }}>
      <UnstyledButton display="flex" aria-label={`Status: ${look.label}${version}. Change`}>
        <StatusBadge look={look}>
          <span className={classes.version}>{version}</span>
        </StatusBadge>
      </UnstyledButton>
    </MenuButton>
  );
}
