import { Button, Group, SegmentedControl, Select } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { WORKFLOW_STATUSES } from '@/contract/states';
import { WORKFLOW_STATUS_STYLE } from '@/components/ui/states/status-style';
import { FilterChoices } from '@/components/ui/lists/FilterChoices';
import { SearchInput } from '@/components/ui/SearchInput';
import { SavedFilters } from '@/components/ui/lists/SavedFilters';
import { WORKFLOW_LIST_ADDRESS, type WorkflowListState } from './list/workflow-address';
import { useWorkflowTags } from './useWorkflowTags';

const ANY_STATUS_OPTION = 'any';
const STATUS_FILTER_OPTIONS = [
  { value: ANY_STATUS_OPTION, label: 'All' },
  ...WORKFLOW_STATUSES.map((value) => ({ value, label: WORKFLOW_STATUS_STYLE[value].label })),
];

interface Props {
  state: WorkflowListState;
  /** The name of the open folder. Undefined: the top level. */
  folderName: string | undefined;
  onChange(changes: Partial<WorkflowListState>): void;
}

export function WorkflowFilters({ state, folderName, onChange }: Props) {
  const { search, status, tag, isFavorite } = state;
  const tags = useWorkflowTags();
  const Star = isFavorite ? IconStarFilled : IconStar;
  return (
    <Group mb="md" gap="sm">
      <SearchInput
        label="Search workflows"
        placeholder={folderName === undefined ? 'Search by name, in all folders' : `Search by name in ${folderName}`}
        value={search}
        flex={1}
        miw={200}
        maxLength={200}
        onChange={(text) => onChange({ search: text })}
      />
      <FilterChoices isBeside count={[status, tag, isFavorite].filter(Boolean).length}>
        <SegmentedControl
          aria-label="Status"
          data={STATUS_FILTER_OPTIONS}
          value={status ?? ANY_STATUS_OPTION}
          onChange={(next) => onChange({ status: WORKFLOW_STATUSES.find((option) => option === next) ?? null })}
        />
        {(tags.length > 0 || tag !== null) && (
          <Select
            aria-label="Tag"
            placeholder="All tags"
            w={140}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': 'All tags' }}
            data={tag === null || tags.includes(tag) ? tags : [...tags, tag]}
            value={tag}
            onChange={(next) => onChange({ tag: next })}
          />
        )}
        <Button
          variant={isFavorite ? 'light' : 'default'}
          aria-pressed={isFavorite}
          leftSection={<Star size={16} aria-hidden />}
          onClick={() => onChange({ isFavorite: !isFavorite })}
        >
          Favourites
        </Button>
        <SavedFilters
          list="workflows"
          address={WORKFLOW_LIST_ADDRESS.encode({ ...state, page: 1 })}
          onPick={(address) => onChange(WORKFLOW_LIST_ADDRESS.parse(new URLSearchParams(address)))}
        />
      </FilterChoices>
    </Group>
  );
}
