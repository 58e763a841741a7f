import { ActionIcon } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { NodeToolbar, Position } from '@xyflow/react';
import type { CanvasColor } from '@/contract/workflows/workflow';
import { LightTooltip } from '@/components/ui/LightTooltip';
import classes from './Annotations.module.css';

const ANNOTATION_COLORS: CanvasColor[] = ['yellow', 'green', 'blue', 'red', 'gray'];

/** Notes and frames are below the nodes; without this their toolbar would be below the pane and not clickable. */
const ABOVE_NODES_STYLE = { zIndex: 10 };

interface Props {
  renameLabel: string;
  color: CanvasColor;
  onRename(): void;
  onColor(color: CanvasColor): void;
}

/** Toolbar of the selected note or group: edit its text, change its colour. */
export function AnnotationTools({ renameLabel, color, onRename, onColor }: Props) {
  return (
    <NodeToolbar
      position={Position.Top}
      align="start"
      offset={8}
      isVisible
      style={ABOVE_NODES_STYLE}
      className={classes.tools}
    >
      <LightTooltip label={`${renameLabel} (F2)`}>
        <ActionIcon size={28} aria-label={renameLabel} data-renames onClick={onRename}>
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
      </LightTooltip>
      {ANNOTATION_COLORS.map((option) => (
        <button
          key={option}
          type="button"
          className={classes.swatch}
          data-color={option}
          aria-label={`Colour: ${option}`}
          aria-pressed={option === color}
          onClick={() => onColor(option)}
        />
      ))}
    </NodeToolbar>
  );
}
