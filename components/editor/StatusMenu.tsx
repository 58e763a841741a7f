import { Menu, UnstyledButton } from '@mantine/core';
import { WORKFLOW_STATUSES } from '@/contract/states';
import type { WorkflowStatus } from '@/contract/workflow';
import { WORKFLOW_LOOK } from '../ui/status';
import { StatusBadge } from '../ui/StatusBadge';
import { useDraft } from './draft';

/** What a status means for those outside. */
const MEANING: Record<WorkflowStatus, string> = {
  draft: 'Runs by hand and by webhook; schedules rest',
  active: 'Runs by hand, webhook and schedule',
  paused: 'Runs by hand only; webhooks are refused',
};

/** From where a workflow may go where. */
const NEXT: Record<WorkflowStatus, WorkflowStatus[]> = {
  draft: ['active'],
  active: ['paused', 'draft'],
  paused: ['active', 'draft'],
};

export function StatusMenu({ onPick }: { onPick(status: WorkflowStatus): void }) {
  const status = useDraft((draft) => draft.saved.status);
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <UnstyledButton display="flex" aria-label={`Status: ${WORKFLOW_LOOK[status].label}. Change`}>
          <StatusBadge look={WORKFLOW_LOOK[status]} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {WORKFLOW_STATUSES.filter((option) => NEXT[status].includes(option)).map((option) => {
          const { icon: Icon, label } = WORKFLOW_LOOK[option];
          return (
            <Menu.Item key={option} leftSection={<Icon size={16} aria-hidden />} onClick={() => onPick(option)}>
              {label}
              <div style={{ fontSize: 12, color: 'var(--weft-muted)' }}>{MEANING[option]}</div>
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
