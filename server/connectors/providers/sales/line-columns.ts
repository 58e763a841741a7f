import type { SteppedChoiceSource } from '../../choices';

/** Where columns of the lines of an order have their names. `label`: what the things that can be sold are called. */
export const lineColumnPaths = (
  label: readonly string[],
): Required<Pick<SteppedChoiceSource, 'value' | 'label' | 'column'>> => ({
  value: 'name',
  label: ['label'],
  column: {
    type: 'type',
    types: { options: 'options', number: 'number' },
    isRequired: { when: 'isNeeded' },
    options: { at: ['options'], value: 'id', label },
  },
});
