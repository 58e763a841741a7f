import { Chip, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, type KeyboardEvent } from 'react';
import { TEMPLATE_PURPOSES, type TemplatePurpose } from '@/contract/workflows/template-purposes';
import { searchTemplates } from '@/contract/workflows/template-search';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { CardSkeletons, TemplateCards } from './TemplateCards';
import { SearchInput } from '@/components/ui/SearchInput';

interface Props {
  search: string;
  purpose: TemplatePurpose | undefined;
  onSearch(search: string): void;
  onPurpose(purpose: TemplatePurpose | undefined): void;
  onPick(id: string): void;
}

const PURPOSE_OPTIONS = Object.entries(TEMPLATE_PURPOSES) as [TemplatePurpose, string][];

/** All templates with their pictures, searched by service and purpose. Arrows go from card to card. */
export function TemplateGallery({ search, purpose, onSearch, onPurpose, onPick }: Props) {
  const trpc = useTRPC();
  const grid = useRef<HTMLDivElement>(null);
  // Templates change only with the version of the service.
  const { data, error, refetch } = useQuery(
    trpc.templates.list.queryOptions({ query: { limit: '100' } }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  const found = data && searchTemplates(data.data, search, purpose);
  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && search.trim() !== '' && found?.[0]) onPick(found[0].id);
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    grid.current?.querySelector('button')?.focus();
  };
  return (
    <Stack gap="md">
      <SearchInput
        label="Search templates"
        placeholder="Search by service or purpose: Slack, invoice, report …"
        data-autofocus
        value={search}
        onChange={onSearch}
        onKeyDown={onSearchKey}
      />
      <Chip.Group
        value={purpose ?? 'all'}
        onChange={(next) => onPurpose(next === 'all' ? undefined : (next as TemplatePurpose))}
      >
        <Group gap={6} role="group" aria-label="Purpose">
          <Chip value="all" size="xs">
            All
          </Chip>
          {PURPOSE_OPTIONS.map(([value, label]) => (
            <Chip key={value} value={value} size="xs">
              {label}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {error && <RequestErrorAlert title="The templates can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <CardSkeletons />}
      {found && (
        <Text size="xs" c="dimmed" role="status">
          {found.length === 1 ? '1 template' : `${found.length} templates`}
          {found.length === 0 && '. Try the name of a service, or another purpose.'}
        </Text>
      )}
      {found && found.length > 0 && <TemplateCards ref={grid} templates={found} onPick={onPick} />}
    </Stack>
  );
}
