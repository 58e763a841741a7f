import { Chip, Group, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, type KeyboardEvent } from 'react';
import type { TemplateSummary } from '@/contract/workflows/template';
import { TEMPLATE_PURPOSES, type TemplatePurpose } from '@/contract/workflows/template-purposes';
import { searchTemplates } from '@/contract/workflows/template-search';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { TemplateServices } from './TemplateServices';
import classes from './TemplateGallery.module.css';
import { TemplatePicture } from './TemplatePicture';
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
  const cards = () => [...(grid.current?.querySelectorAll('button') ?? [])];
  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && search.trim() !== '' && found?.[0]) onPick(found[0].id);
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    cards()[0]?.focus();
  };
  const onCardKey = (event: KeyboardEvent) => {
    const all = cards();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const next = at === -1 ? undefined : neighbourCard(event.key, at, all);
    if (!next) return;
    event.preventDefault();
    next.focus();
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
      {!data && !error && <GallerySkeleton />}
      {found && (
        <Text size="xs" c="dimmed" role="status">
          {found.length === 1 ? '1 template' : `${found.length} templates`}
          {found.length === 0 && '. Try the name of a service, or another purpose.'}
        </Text>
      )}
      {found && found.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrows move between the buttons inside
        <div ref={grid} className={classes.grid} onKeyDown={onCardKey}>
          {found.map((template) => (
            <TemplateCard key={template.id} template={template} onPick={() => onPick(template.id)} />
          ))}
        </div>
      )}
    </Stack>
  );
}

/** The card that an arrow leads to: up and down to the nearest one in the next row. */
function neighbourCard(key: string, at: number, all: HTMLButtonElement[]): HTMLButtonElement | undefined {
  if (key === 'ArrowRight') return all[at + 1];
  if (key === 'ArrowLeft') return all[at - 1];
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined;
  const left = all[at]?.offsetLeft;
  const candidates = key === 'ArrowDown' ? all.slice(at + 1) : all.slice(0, at).toReversed();
  return candidates.find(({ offsetLeft }) => offsetLeft === left);
}

function TemplateCard({ template, onPick }: { template: TemplateSummary; onPick(): void }) {
  const { name, description, services, outline } = template;
  return (
    <UnstyledButton className={classes.card} onClick={onPick}>
      <span className={classes.picture}>
        <TemplatePicture outline={outline} />
      </span>
      <span className={classes.words}>
        <Text component="span" display="block" fw={600} size="sm">
          {name}
        </Text>
        <Text component="span" display="block" size="xs" c="dimmed" mt={2} mb={8}>
          {description}
        </Text>
        <TemplateServices services={services} />
      </span>
    </UnstyledButton>
  );
}

const GallerySkeleton = () => (
  <div className={classes.grid} aria-busy="true" aria-label="Loading">
    {Array.from({ length: 6 }, (_, index) => (
      <Skeleton key={index} h={216} radius={10} />
    ))}
  </div>
);
