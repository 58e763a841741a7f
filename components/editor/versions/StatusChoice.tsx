import { Menu } from '@mantine/core';
import { WORKFLOW_STATUSES } from '@/contract/states';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { OpenMenu, type MenuPlace } from '@/components/ui/OpenMenu';
import { WORKFLOW_LOOK } from '@/components/ui/states/status';

/** What a status means for triggers. */
const MEANING: Record<WorkflowStatus, string> = {
  draft: 'Manual runs and webhooks. Forms, chats, schedules and polls are off.',
  active: 'Manual runs, webhooks, forms, chats, schedules and polls.',
  paused: 'Manual runs only. Webhooks are refused, forms are off.',
};

/** Allowed status changes. */
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
