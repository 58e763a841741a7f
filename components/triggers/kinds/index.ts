import { callerKind } from './caller';
import { chatKind } from './chat';
import { formKind } from './form';
import type { TriggerKind } from './kind';
import { mailKind } from './mail';
import { pollKind } from './poll';
import { scheduleKind } from './schedule';
import { webhookKind } from './webhook';

/** All kinds of triggers, in the order of the canvas. A new kind is a record in this list. */
export const TRIGGER_KINDS: readonly TriggerKind[] = [
  webhookKind,
  scheduleKind,
  pollKind,
  mailKind,
  formKind,
  chatKind,
  callerKind,
];

export const triggerKind = (name: string): TriggerKind | undefined => TRIGGER_KINDS.find(({ kind }) => kind === name);
