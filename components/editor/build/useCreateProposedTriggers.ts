import { notifications } from '@mantine/notifications';
import type { TemplateTrigger } from '@/contract/workflows/template';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { useCreateTrigger } from '@/components/templates/useCreateTrigger';
import { useDraftStore } from '../draft/draft';
import type { AppliedProposalState } from './applied-proposal-state';

/** Saves the draft, by which it is checked, and creates triggers for it. Returns the secrets that the service has made. */
export function useCreateProposedTriggers(save: () => Promise<boolean>) {
  const store = useDraftStore();
  const create = useCreateTrigger();
  const refresh = useInvalidateQueries();
  return async (triggers: readonly TemplateTrigger[]): Promise<AppliedProposalState['secrets']> => {
    const isSaved = await save();
    if (triggers.length === 0) return [];
    if (!isSaved) {
      notifications.show({
        color: 'madder',
        title: 'The triggers were not created',
        message: 'The workflow could not be saved. Add them under Triggers once it is.',
      });
      return [];
    }
    const secrets: AppliedProposalState['secrets'] = [];
    for (const trigger of triggers) {
      const made = await create(store.get().saved.id, trigger);
      if (made) secrets.push(made);
    }
    refresh();
    return secrets;
  };
}
