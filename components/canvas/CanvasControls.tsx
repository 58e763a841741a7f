import { ActionIcon } from '@mantine/core';
import { IconFocusCentered, IconMinus, IconPlus, type Icon } from '@tabler/icons-react';
import { Panel, useReactFlow } from '@xyflow/react';
import { canvasAnimation } from './canvas-animation';
import { fitWorkflowOptions } from './fit-view';
import classes from './WorkflowCanvas.module.css';
import { LightTooltip } from '@/components/ui/LightTooltip';

export function CanvasControls() {
  const flow = useReactFlow();
  const buttons: { label: string; icon: Icon; run(): void }[] = [
    { label: 'Zoom out', icon: IconMinus, run: () => void flow.zoomOut(canvasAnimation(150)) },
    {
      label: 'Fit to view',
      icon: IconFocusCentered,
      run: () => void flow.fitView({ ...fitWorkflowOptions(flow), ...canvasAnimation(200) }),
    },
    { label: 'Zoom in', icon: IconPlus, run: () => void flow.zoomIn(canvasAnimation(150)) },
  ];
  return (
    <Panel position="bottom-left" className={classes.controls}>
      {buttons.map(({ label, icon: Icon, run }) => (
        <LightTooltip key={label} label={label}>
          <ActionIcon aria-label={label} onClick={run} size={32}>
            <Icon size={17} aria-hidden />
          </ActionIcon>
        </LightTooltip>
      ))}
    </Panel>
  );
}
