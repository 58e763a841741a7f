import type { AppliedProposalState } from '../build/applied-proposal-state';
import type { TriggerPreset } from '@/components/triggers/kinds/presets';

export type EditorDialog =
  | { kind: 'keys' }
  | { kind: 'bar' }
  /** `instruction`: the text to begin with. `isSent`: it is sent at once if a model is chosen. */
  | { kind: 'build'; instruction?: string; isSent?: boolean }
  /** What is left to do after a proposal was applied. */
  | { kind: 'applied'; applied: AppliedProposalState }
  | { kind: 'input' }
  | { kind: 'extract' }
  | { kind: 'publish' }
  | { kind: 'settings' }
  | { kind: 'language' }
  | { kind: 'share' }
  | { kind: 'tests' }
  | { kind: 'origin' }
  | { kind: 'node'; nodeId: string }
  /** `id` undefined: a new trigger. */
  | { kind: 'trigger'; trigger: string; id?: string; preset?: TriggerPreset };
