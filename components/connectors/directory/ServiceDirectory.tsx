import { Button, Card, Group, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { DirectoryService } from '@/contract/connectors/directory';
import { SERVICE_CATEGORIES, type ServiceCategory } from '@/contract/connectors/service-categories';
import { useServiceDirectory } from '@/components/client/queries/useConnectors';
import { ConnectorIcon } from '@/components/credentials/ConnectorIcon';
import { rankEntries } from '@/components/ui/choosing/search-ranking';
import { QueryList } from '@/components/ui/lists/QueryList';

/** Services that are drawn at first. */
const INITIAL_SERVICE_COUNT = 30;

const CATEGORY_OPTIONS = Object.entries(SERVICE_CATEGORIES).map(([value, label]) => ({ value, label }));

interface Props {
  search: string;
  onAdd(service: DirectoryService): void;
  onOpen(connectorId: string): void;
}

/** The directory of services, by category and by the search of the page. */
export function ServiceDirectory({ search, onAdd, onOpen }: Props) {
  const directory = useServiceDirectory();
  const [category, setCategory] = useState<string | null>(null);
  return (
    <Stack component="section" aria-label="Directory" gap="sm" mt="md">
      <Group justify="space-between" align="flex-end" gap="xs">
        <div>
          <Title order={2} fz="md">
            Directory
          </Title>
          <Text size="sm" c="dimmed">
            Services that are added from the OpenAPI document of their API.
          </Text>
        </div>
        <Select
          aria-label="Category"
          placeholder="All categories"
          clearable
          clearButtonProps={{ 'aria-label': 'All categories' }}
          data={CATEGORY_OPTIONS}
          value={category}
          onChange={setCategory}
        />
      </Group>
      <QueryList of="directory" query={directory} empty={null}>
        {(services) => (
          <ServiceCards
            // Another search or category starts at the beginning of the list.
            key={`${category} ${search}`}
            services={services}
            search={search}
            category={category as ServiceCategory | null}
            onAdd={onAdd}
            onOpen={onOpen}
          />
        )}
      </QueryList>
    </Stack>
  );
}

interface ServiceCardsProps extends Props {
  services: readonly DirectoryService[];
  category: ServiceCategory | null;
}

function ServiceCards({ services, search, category, onAdd, onOpen }: ServiceCardsProps) {
  const [isWhole, setWhole] = useState(false);
  const entries = useMemo(
    () =>
      services
        .filter((service) => category === null || service.category === category)
        .map((service) => ({
          title: service.name,
          words: [...service.keywords, SERVICE_CATEGORIES[service.category]],
          service,
        })),
    [services, category],
  );
  const found = search.trim() === '' ? entries : rankEntries(search, entries);
  const shown = isWhole ? found : found.slice(0, INITIAL_SERVICE_COUNT);
  return (
    <>
      <Text size="xs" c="dimmed" role="status">
        {found.length === 1 ? '1 service' : `${found.length} services`}
        {found.length === 0 && '. A service with an OpenAPI document can be added by its address: Add from OpenAPI.'}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="xs">
        {shown.map(({ service }) => (
          <ServiceCard key={service.id} service={service} onAdd={onAdd} onOpen={onOpen} />
        ))}
      </SimpleGrid>
      {shown.length < found.length && (
        <Button variant="default" onClick={() => setWhole(true)}>
          Show all {found.length}
        </Button>
      )}
    </>
  );
}

function ServiceCard({ service, onAdd, onOpen }: { service: DirectoryService } & Pick<Props, 'onAdd' | 'onOpen'>) {
  const { name, category, icon, connectorId, needsAppRegistration } = service;
  return (
    <Card withBorder padding="xs" component="article">
      <Group gap="sm" wrap="nowrap">
        <ConnectorIcon src={icon} />
        <div style={{ flex: 1, minWidth: 0 }}>
          <Text size="sm" fw={570} truncate title={name}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {SERVICE_CATEGORIES[category]}
          </Text>
          {needsAppRegistration && (
            <Text size="xs" c="dimmed">
              Needs an app registration of your own
            </Text>
          )}
        </div>
        {connectorId === null ? (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            aria-label={`Add ${name}`}
            onClick={() => onAdd(service)}
          >
            Add
          </Button>
        ) : (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconCheck size={14} aria-hidden />}
            aria-label={`${name} is added: open it`}
            onClick={() => onOpen(connectorId)}
          >
            Added
          </Button>
        )}
      </Group>
    </Card>
  );
}
