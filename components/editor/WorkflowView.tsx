import { ActionIcon, Badge, Stack, Text, Title, Tooltip } from '@mantine/core';
import { IconArrowLeft, IconEye } from '@tabler/icons-react';
import { ReactFlowProvider } from '@xyflow/react';
import Link from 'next/link';
import { useCallback, useMemo, useState } from 'react';
import type { NodeType } from '@/contract/node-type';
import type { Workflow } from '@/contract/workflow';
import { catalogueOf } from '../canvas/flow';
import { nodeTitle } from '../canvas/summary';
import { WorkflowCanvas } from '../canvas/WorkflowCanvas';
import { JsonView } from '../ui/JsonView';
import { SidePanel } from '../ui/SidePanel';
import { WORKFLOW_LOOK } from '../ui/status';
import { StatusBadge } from '../ui/StatusBadge';
import classes from '../ui/Workbench.module.css';
import { RunFromList } from '../workflows/RunFromList';
import { Presence } from './Presence';

interface Props {
  workflow: Workflow;
  types: NodeType[];
}

/** A workflow for those who may look at it and not change it. */
export function WorkflowView({ workflow: { id, name, status, definition }, types }: Props) {
  const catalogue = useMemo(() => catalogueOf(types), [types]);
  const [selectedId, setSelectedId] = useState<string>();
  const selectedIds = useMemo(() => (selectedId === undefined ? [] : [selectedId]), [selectedId]);
  const select = useCallback((ids: readonly string[]) => setSelectedId(ids.length === 1 ? ids[0] : undefined), []);
  const node = definition.nodes.find((candidate) => candidate.id === selectedId);
  return (
    <ReactFlowProvider>
      <div className={classes.page}>
        <header className={classes.bar}>
          <Tooltip label="All workflows">
            <ActionIcon component={Link} href="/workflows" size="lg" aria-label="All workflows">
              <IconArrowLeft size={19} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <div className={classes.title}>
            <Title order={1} fz={16} lineClamp={1}>
              {name}
            </Title>
          </div>
          <Presence workflowId={id} />
          <Tooltip label="Your role here does not include changing this workflow.">
            <Badge variant="light" color="gray" tt="none" size="lg" leftSection={<IconEye size={14} aria-hidden />}>
              Look only
            </Badge>
          </Tooltip>
          <StatusBadge look={WORKFLOW_LOOK[status]} />
          <RunFromList id={id} name={name} />
        </header>
        <div className={classes.stage}>
          <div className={classes.canvas}>
            <WorkflowCanvas definition={definition} catalogue={catalogue} selectedIds={selectedIds} onSelect={select} />
          </div>
          {node && (
            <SidePanel
              label="Node"
              title={nodeTitle(node, catalogue.get(node.type))}
              onClose={() => setSelectedId(undefined)}
            >
              <Stack gap="sm">
                {node.notes && <Text size="sm">{node.notes}</Text>}
                <JsonView label="Settings" value={node.config} />
              </Stack>
            </SidePanel>
          )}
        </div>
      </div>
    </ReactFlowProvider>
  );
}
