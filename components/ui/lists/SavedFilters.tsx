import { Button, Popover } from '@mantine/core';
import { IconBookmark, IconBookmarkFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SavedFilterList } from '@/contract/saved-filter';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useTRPC } from '@/components/client/trpc';

const SavedFilterMenu = lazyWithPreload(() => import('./SavedFilterMenu').then((module) => module.SavedFilterMenu));

interface Props {
  list: SavedFilterList;
  /** The filters and the order that the list has now, as they stand in the address. Empty: all is shown. */
  address: string;
  onPick(address: string): void;
}

/** The filters that the person has saved for a list, and a way to save the current one. */
export function SavedFilters({ list, address, onPick }: Props) {
  const trpc = useTRPC();
  const [isOpened, setOpened] = useState(false);
  const { data } = useQuery(trpc.savedFilters.list.queryOptions());
  const filters = (data?.data ?? []).filter((filter) => filter.list === list);
  const current = filters.find((filter) => filter.address === address);
  const Icon = current ? IconBookmarkFilled : IconBookmark;
  return (
    <Popover opened={isOpened} onChange={setOpened} position="bottom-end" width={320} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button
          variant={current ? 'light' : 'default'}
          leftSection={<Icon size={16} aria-hidden />}
          maw={240}
          onMouseEnter={() => void SavedFilterMenu.load()}
          onClick={() => setOpened(!isOpened)}
        >
          {current ? current.name : 'Saved filters'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved filters">
        {isOpened && (
          <SavedFilterMenu
            list={list}
            filters={filters}
            address={address}
            onPick={(picked) => {
              setOpened(false);
              onPick(picked);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
