import { findTriggerKind } from './kinds';
import type { TriggerDialogProps } from './kinds/kind';

/** The settings of a trigger, or the form of a new one. */
export function TriggerDialog({ kind, ...props }: TriggerDialogProps & { kind: string }) {
  const Dialog = findTriggerKind(kind)?.Dialog;
  return Dialog ? <Dialog {...props} /> : null;
}
