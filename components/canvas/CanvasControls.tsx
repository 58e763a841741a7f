import { ActionIcon } from '@mantine/core';
import { IconFocusCentered, IconMinus, IconPlus, type Icon } from '@tabler/icons-react';
import { Panel, useReactFlow } from '@xyflow/react';
import { animated } from './animated';
import { wholeOf } from './fit';
import classes from './WorkflowCanvas.module.css';
import { Hint } from '@/components/ui/Hint';

export function CanvasControls() {
  const flow = useReactFlow();
  const buttons: { label: string; icon: Icon; run(): void }[] = [
    { label: 'Zoom out', icon: IconMinus, run: () => void flow.zoomOut(animated(150)) },
    {
      label: 'Fit to view',
      icon: IconFocusCentered,
      run: () => void flow.fitView({ ...wholeOf(flow), ...animated(200) }),
    },
    { label: 'Zoom in', icon: IconPlus, run: () => void flow.zoomIn(animated(150)) },
  ];
  return (
    <Panel position="bottom-left" className={classes.controls}>
      {buttons.map(({ label, icon: Icon, run }) => (
        <Hint key={label} label={label}>
          <ActionIcon aria-label={label} onClick={run} size={32}>
            <Icon size={17} aria-hidden />
          </ActionIcon>
        </Hint>
      ))}
    </Panel>
  );
}
