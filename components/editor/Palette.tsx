import { Button, Combobox, ScrollArea, Text, useCombobox } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { NodeCategory, NodeType } from '@/contract/node-type';
import { NodeIcon } from '../canvas/NodeIcon';
import classes from './Palette.module.css';

const GROUPS: Record<NodeCategory, string> = {
  trigger: 'Start',
  action: 'Actions',
  logic: 'Logic',
  data: 'Data',
  human: 'People',
};

const fits = ({ title, description, type }: NodeType, wanted: string) =>
  `${title} ${type} ${description}`.toLowerCase().includes(wanted.trim().toLowerCase());

/** The node types to choose from, by search and arrow keys. */
export function Palette({ types, onPick }: { types: NodeType[]; onPick(type: NodeType): void }) {
  const [search, setSearch] = useState('');
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      combobox.focusTarget();
      setSearch('');
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  const pick = (name: string) => {
    const type = types.find((candidate) => candidate.type === name);
    if (type) onPick(type);
    combobox.closeDropdown();
  };
  const found = types.filter((type) => fits(type, search));
  return (
    <Combobox store={combobox} width={330} position="bottom-start" shadow="md" onOptionSubmit={pick} withinPortal>
      <Combobox.Target withAriaAttributes={false}>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          onClick={() => combobox.toggleDropdown()}
        >
          Add node
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown className={classes.dropdown}>
        <Combobox.Search
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            combobox.updateSelectedOptionIndex();
          }}
          placeholder="Search nodes"
          aria-label="Search nodes"
        />
        <Combobox.Options>
          <ScrollArea.Autosize mah={420} type="scroll">
            {Object.entries(GROUPS).map(([category, label]) => (
              <Group key={category} label={label} types={found.filter((type) => type.category === category)} />
            ))}
            {found.length === 0 && <Combobox.Empty>Nothing is called that</Combobox.Empty>}
          </ScrollArea.Autosize>
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function Group({ label, types }: { label: string; types: NodeType[] }) {
  if (types.length === 0) return null;
  return (
    <Combobox.Group label={label}>
      {types.map((type) => (
        <Combobox.Option key={type.type} value={type.type} className={classes.option}>
          <NodeIcon kind={type} size={32} />
          <div>
            <Text size="sm" fw={550}>
              {type.title}
            </Text>
            <Text size="xs" c="dimmed" lineClamp={2}>
              {type.description}
            </Text>
          </div>
        </Combobox.Option>
      ))}
    </Combobox.Group>
  );
}
