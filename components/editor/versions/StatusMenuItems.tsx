import { Menu } from '@mantine/core';
import { WORKFLOW_STATUSES } from '@/contract/states';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { AnchoredMenu, type MenuAnchor } from '@/components/ui/AnchoredMenu';
import { WORKFLOW_STATUS_STYLE } from '@/components/ui/states/status-style';

/** The effect of each status on triggers. */
const STATUS_EFFECTS: Record<WorkflowStatus, string> = {
  draft: 'Manual runs and webhooks. Forms, chats, schedules and polls are off.',
  active: 'Manual runs, webhooks, forms, chats, schedules and polls.',
  paused: 'Manual runs only. Webhooks are refused, forms are off.',
};

/** Allowed status changes. */
const NEXT_STATUSES: Record<WorkflowStatus, WorkflowStatus[]> = {
  draft: ['active'],
  active: ['paused', 'draft'],
  paused: ['active', 'draft'],
};

interface Props extends MenuAnchor {
  status: WorkflowStatus;
  onPick(status: WorkflowStatus): void;
}

export function StatusMenuItems({ status, onPick, ...place }: Props) {
  return (
    <AnchoredMenu {...place} position="bottom-end" width={300}>
      {WORKFLOW_STATUSES.filter((option) => NEXT_STATUSES[status].includes(option)).map((option) => {
        const { icon: Icon, label } = WORKFLOW_STATUS_STYLE[option];
        return (
          <Menu.Item key={option} leftSection={<Icon size={16} aria-hidden />} onClick={() => onPick(option)}>
            {label}
            <div style={{ fontSize: 12, color: 'var(--weft-muted)' }}>{STATUS_EFFECTS[option]}</div>
          </Menu.Item>
        );
      })}
    </AnchoredMenu>
  );
}
