import type { Icon } from '@tabler/icons-react';
import type { UseQueryOptions } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import type { useTRPC } from '@/components/client/trpc';
import type { TriggerPreset } from './presets';

/**
 * `draft` and `inactive`: it is enabled, but its workflow is a draft or paused. `takingCalls`: it starts runs although
 * its workflow is a draft.
 */
export type TriggerState = 'takingCalls' | 'enabled' | 'disabled' | 'draft' | 'inactive';

/** One trigger of a workflow, as all kinds show it. */
export interface TriggerCardData {
  /** The id of the webhook, form, chat, schedule, poll or workflow. */
  id: string;
  kind: string;
  /** What happens, shown in place of the kind: `New release in GitHub`. */
  heading?: ReactNode;
  /** An address, a time, or the name of a workflow. */
  text: string;
  /** The text in words that people read more easily. */
  words?: ReactNode;
  state: TriggerState;
  /** The start node of its runs. Null: every start node. */
  startNodeId: string | null;
  /** The last call, or the next time. */
  note: ReactNode;
  /** The page of a trigger that has no settings of its own. */
  href?: string;
  /** The page that visitors open. */
  page?: { url: string; label: string };
  /** A test call of it can be listened for. */
  canListen: boolean;
}

/** The workflow that triggers start. */
export interface TriggeredWorkflow {
  id: string;
  status: WorkflowStatus;
}

export interface TriggerDialogProps {
  workflow: TriggeredWorkflow;
  /** The id of the trigger. Undefined for a new one. */
  id: string | undefined;
  /** What a new trigger begins with. */
  preset?: TriggerPreset;
  /** Saves the workflow and lets it go live. */
  onGoLive?(): void;
  onClose(): void;
}

type TriggersQuery = UseQueryOptions<unknown, unknown, TriggerCardData[]>;

/** One kind of trigger: everything that the canvas, the palette and the dialogs need to know about it. */
export interface TriggerKind {
  kind: string;
  label: string;
  icon: Icon;
  /** How the palette offers this kind. Absent if such a trigger cannot be created by itself. */
  offer?: { description: string; synonyms: readonly string[] };
  /** Finds the triggers of this kind. Absent if the query of another kind finds them as well. */
  query?(trpc: ReturnType<typeof useTRPC>, workflow: TriggeredWorkflow): TriggersQuery;
  /** The settings of one, or the form of a new one. */
  Dialog?: ComponentType<TriggerDialogProps>;
}

/** The options of a list's query, whose page is shown as triggers. The list's own cache entry is used. */
export const triggersQuery = <Page>(
  options: { queryKey: readonly unknown[] },
  select: (page: Page) => TriggerCardData[],
  refetchInterval: number | false = false,
  // The kinds are one list: their queries differ in the type of the page only, which `select` alone reads.
): TriggersQuery => ({ ...options, select, refetchInterval }) as unknown as TriggersQuery;
