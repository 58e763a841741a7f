import { IconAlertTriangle, IconCheck, IconEye } from '@tabler/icons-react';
import type { N8nImportPlan } from '@/import/n8n/plan';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import type { StatusStyle } from '@/components/ui/states/status-style';

const TRAFFIC_LIGHT_STYLE: Record<N8nImportPlan['light'], StatusStyle> = {
  green: { label: 'Whole', icon: IconCheck, tone: 'done' },
  yellow: { label: 'To check', icon: IconEye, tone: 'waiting' },
  red: { label: 'To replace', icon: IconAlertTriangle, tone: 'failed' },
};

/** Whether a workflow is carried over whole, but for accounts. */
export const TrafficLightBadge = ({ light }: { light: N8nImportPlan['light'] }) => (
  <StatusBadge look={TRAFFIC_LIGHT_STYLE[light]} size="sm" />
);
