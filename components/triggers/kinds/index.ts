import { callerTriggerKind } from './caller';
import { chatTriggerKind } from './chat';
import { formTriggerKind } from './form';
import type { TriggerKind } from './kind';
import { mailTriggerKind } from './mail';
import { pollTriggerKind } from './poll';
import { scheduleTriggerKind } from './schedule';
import { webhookTriggerKind } from './webhook';

/** All kinds of triggers, in the order of the canvas. A new kind is a record in this list. */
export const TRIGGER_KINDS: readonly TriggerKind[] = [
  webhookTriggerKind,
  scheduleTriggerKind,
  pollTriggerKind,
  mailTriggerKind,
  formTriggerKind,
  chatTriggerKind,
  callerTriggerKind,
];

export const findTriggerKind = (name: string): TriggerKind | undefined =>
  TRIGGER_KINDS.find(({ kind }) => kind === name);
