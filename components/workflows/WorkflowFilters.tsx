import { Button, Group, SegmentedControl, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFolders, IconStar, IconStarFilled } from '@tabler/icons-react';
import { WORKFLOW_STATUSES } from '@/contract/states';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { WORKFLOW_STATUS_STYLE } from '@/components/ui/states/status-style';
import { useFolders } from './folders/useFolders';
import { ANY_STATUS_OPTION, type WorkflowListFilters } from './useWorkflowSearch';
import { SearchInput } from '@/components/ui/SearchInput';

const FoldersDialog = lazyWithPreload(() => import('./folders/FoldersDialog').then((module) => module.FoldersDialog));

const STATUS_FILTER_OPTIONS = [
  { value: ANY_STATUS_OPTION, label: 'All' },
  ...WORKFLOW_STATUSES.map((value) => ({ value, label: WORKFLOW_STATUS_STYLE[value].label })),
];

interface Props {
  filters: WorkflowListFilters;
  onChange(changes: Partial<WorkflowListFilters>): void;
}

export function WorkflowFilters({ filters: { search, status, tag, folderId, isFavorite }, onChange }: Props) {
  const { folders, tags } = useFolders();
  const [isManaging, managing] = useDisclosure(false);
  const Star = isFavorite ? IconStarFilled : IconStar;
  return (
    <Group mb="md" gap="sm">
      <SearchInput
        label="Search workflows"
        placeholder="Search by name"
        value={search}
        flex={1}
        miw={200}
        onChange={(text) => onChange({ search: text })}
      />
      <SegmentedControl
        aria-label="Status"
        data={STATUS_FILTER_OPTIONS}
        value={status}
        onChange={(next) => onChange({ status: next })}
      />
      <Select
        aria-label="Folder"
        placeholder="All folders"
        w={170}
        clearable
        clearButtonProps={{ 'aria-label': 'All folders' }}
        data={[{ value: 'none', label: 'No folder' }, ...folders.map(({ id, path }) => ({ value: id, label: path }))]}
        value={folderId}
        onChange={(next) => onChange({ folderId: next })}
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
      <PermittedButton to="workflow:update">
        <Button variant="default" leftSection={<IconFolders size={16} aria-hidden />} onClick={managing.open}>
          Folders
        </Button>
      </PermittedButton>
      {isManaging && <FoldersDialog onClose={managing.close} />}
    </Group>
  );
}
