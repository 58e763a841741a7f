import type { NodeProps } from '@xyflow/react';
import type { Card } from '@/components/graph/flow';
import { CARD, handlesOf, heightFor } from '@/components/graph/layout/card';
import classes from './Overview.module.css';

interface Props extends Pick<NodeProps<Card>, 'data'> {
  onEnter(): void;
}

/**
 * A card in the overview: an area for the pointer and the keyboard. The picture behind it shows the card. React Flow
 * measures where connections end by elements of these classes and attributes.
 */
export function OverviewCard({ data: { kind, outputs }, onEnter }: Props) {
  const handles = handlesOf(kind?.ports.inputs ?? ['input'], outputs);
  return (
    <div
      className={classes.card}
      style={{ width: CARD.width, height: heightFor(outputs.length) }}
      onPointerEnter={onEnter}
    >
      {handles.map(({ type, id, position, x, y }) => (
        <i
          key={`${type} ${id}`}
          className={`${type} ${classes.port}`}
          data-handleid={id}
          data-handlepos={position}
          style={{ left: x, top: y }}
        />
      ))}
    </div>
  );
}
