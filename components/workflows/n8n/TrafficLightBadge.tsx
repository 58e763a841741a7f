import { Badge } from '@mantine/core';
import type { N8nImportPlan } from '@/import/n8n/plan';

const LIGHTS = {
  green: { words: 'whole', color: 'teal' },
  yellow: { words: 'to check', color: 'weld' },
  red: { words: 'to replace', color: 'madder' },
} as const;

/** Whether a workflow is carried over whole, but for accounts. */
export const TrafficLightBadge = ({ light }: { light: N8nImportPlan['light'] }) => (
  <Badge color={LIGHTS[light].color} variant="light" tt="none" style={{ flex: 'none' }}>
    {LIGHTS[light].words}
  </Badge>
);
