import { Menu } from '@mantine/core';
import { WORKFLOW_STATUSES } from '@/contract/states';
import type { WorkflowStatus } from '@/contract/workflow';
import { OpenMenu, type MenuPlace } from '../ui/OpenMenu';
import { WORKFLOW_LOOK } from '../ui/status';

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

interface Props extends MenuPlace {
  status: WorkflowStatus;
  onPick(status: WorkflowStatus): void;
}

export function StatusChoice({ status, onPick, ...place }: Props) {
  return (
    <OpenMenu {...place} position="bottom-end" width={300}>
      {WORKFLOW_STATUSES.filter((option) => NEXT[status].includes(option)).map((option) => {
        const { icon: Icon, label } = WORKFLOW_LOOK[option];
        return (
          <Menu.Item key={option} leftSection={<Icon size={16} aria-hidden />} onClick={() => onPick(option)}>
            {label}
            <div style={{ fontSize: 12, color: 'var(--weft-muted)' }}>{MEANING[option]}</div>
          </Menu.Item>
        );
      })}
    </OpenMenu>
  );
}
