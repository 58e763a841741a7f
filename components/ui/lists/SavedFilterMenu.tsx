import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { MAX_SAVED_FILTER_NAME, type SavedFilterList, type SavedFilterResponse } from '@/contract/saved-filter';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { FormErrorAlert } from '../states/FormErrorAlert';

interface Props {
  list: SavedFilterList;
  filters: readonly SavedFilterResponse[];
  address: string;
  onPick(address: string): void;
}

/** Picks, renames and deletes saved filters, and saves the current one. */
export function SavedFilterMenu({ list, filters, address, onPick }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [renamed, setRenamed] = useState<SavedFilterResponse>();
  const [name, setName] = useState('');
  const stop = () => {
    setRenamed(undefined);
    setName('');
  };
  const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.savedFilters.list.queryKey() });
  const save = useMutation(
    trpc.savedFilters.set.mutationOptions({
      onSuccess: () => {
        stop();
        return refresh();
      },
    }),
  );
  const remove = useMutation(trpc.savedFilters.delete.mutationOptions({ onSettled: refresh }));
  const error = save.error ?? remove.error;
  const wanted = name.trim();
  const isTaken = renamed?.name !== wanted && filters.some((filter) => filter.name === wanted);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    remove.reset();
    if (renamed)
      save.mutate({ params: { list, name: renamed.name }, body: { address: renamed.address, name: wanted } });
    else save.mutate({ params: { list, name: wanted }, body: { address } });
  };
  return (
    <Stack gap="sm">
      <FormErrorAlert>{error && apiErrorSentence(error)}</FormErrorAlert>
      {filters.length === 0 && (
        <Text size="sm" c="dimmed">
          None yet. Choose filters, give them a name here, and come back to them with two clicks. Only you see them.
        </Text>
      )}
      {filters.length > 0 && (
        <Stack component="ul" gap={2} m={0} p={0} style={{ listStyle: 'none', maxHeight: 260, overflowY: 'auto' }}>
          {filters.map((filter) => (
            <Group key={filter.name} component="li" gap={2} wrap="nowrap">
              <Button
                variant={filter.address === address ? 'light' : 'subtle'}
                color={filter.address === address ? undefined : 'gray'}
                c={filter.address === address ? undefined : 'var(--weft-ink)'}
                size="sm"
                flex={1}
                miw={0}
                justify="flex-start"
                aria-current={filter.address === address || undefined}
                onClick={() => onPick(filter.address)}
              >
                {filter.name}
              </Button>
              <ActionIcon
                aria-label={`Rename ${filter.name}`}
                onClick={() => {
                  setRenamed(filter);
                  setName(filter.name);
                }}
              >
                <IconPencil size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                aria-label={`Delete ${filter.name}`}
                loading={remove.isPending && remove.variables.params.name === filter.name}
                onClick={() => remove.mutate({ params: { list, name: filter.name } })}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
      )}
      {(renamed || address !== '') && (
        <form onSubmit={submit}>
          <Stack gap="xs">
            <TextInput
              key={renamed?.name}
              label={renamed ? `New name of ${renamed.name}` : 'Save these filters as'}
              placeholder="Failed today"
              size="sm"
              maxLength={MAX_SAVED_FILTER_NAME}
              data-autofocus
              autoFocus={renamed !== undefined}
              value={name}
              error={renamed && isTaken && 'There is a filter with this name already.'}
              description={!renamed && isTaken ? 'Replaces the saved filter with this name.' : undefined}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Group justify="flex-end" gap="xs">
              {renamed && (
                <Button variant="default" size="compact-sm" onClick={stop}>
                  Cancel
                </Button>
              )}
              <Button
                type="submit"
                size="compact-sm"
                loading={save.isPending}
                disabled={wanted === '' || (renamed !== undefined && isTaken)}
              >
                {renamed ? 'Rename' : 'Save'}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Stack>
  );
}
