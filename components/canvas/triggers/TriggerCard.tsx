import type { NodeProps } from '@xyflow/react';
import { memo } from 'react';
import type { TriggerItem } from '@/components/graph/trigger-items';
import { useCanvasTrigger } from './canvas-trigger';
import classes from './TriggerCard.module.css';

/** A trigger before the start node: icon, address or time, state and last call. A thin line leads to the start node. */
export const TriggerCard = memo(function TriggerCard({ data: { triggerId, line } }: NodeProps<TriggerItem>) {
  const trigger = useCanvasTrigger(triggerId);
  if (!trigger) return null;
  const { icon, label, heading = label, text, words = text, state, note, isLive, onOpen, action } = trigger;
  const bend = Math.max(28, line.x / 2);
  return (
    <div className={classes.card} data-tone={state.tone} data-live={isLive || undefined}>
      <svg className={classes.line} aria-hidden>
        <path d={`M0 0C${bend} 0 ${line.x - bend} ${line.y} ${line.x} ${line.y}`} />
      </svg>
      {onOpen && (
        <button
          type="button"
          className={classes.open}
          aria-label={`${label} ${text}: ${state.label}`}
          onClick={onOpen}
        />
      )}
      <span className={classes.icon}>{icon}</span>
      <div className={classes.words}>
        <div className={classes.head}>
          <span className={classes.label}>{heading}</span>
          <span className={classes.state}>{state.label}</span>
        </div>
        <div className={classes.text} title={text}>
          {words}
        </div>
        <div className={classes.note}>{note}</div>
      </div>
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
});
