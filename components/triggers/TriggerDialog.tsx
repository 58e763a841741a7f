import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { findTriggerKind } from './kinds';
import type { TriggerDialogProps } from './kinds/kind';

const NewEventDialog = lazyWithPreload(() => import('./event/NewEventDialog').then((module) => module.NewEventDialog));

/** The settings of a trigger, or the form of a new one. */
export function TriggerDialog({ kind, ...props }: TriggerDialogProps & { kind: string }) {
  const { id, preset } = props;
  if (id === undefined && preset?.event) return <NewEventDialog {...props} preset={preset.event} />;
  const Dialog = findTriggerKind(kind)?.Dialog;
  return Dialog ? <Dialog {...props} /> : null;
}
