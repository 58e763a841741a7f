'use client';

import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_WORKSPACE_VARIABLES } from '@/contract/workflows/variable-names';
import { useTRPC } from '@/components/client/trpc';
import { QueryList } from '@/components/ui/lists/QueryList';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { PageSection } from '@/components/ui/page/PageSection';
import { EmptyListArt } from '@/components/ui/art/EmptyListArt';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { DeleteVariable } from './DeleteVariable';
import { VariableForm } from './VariableForm';
import type { VariableRow } from './value';
import { VariableTable } from './VariableTable';

/** The variables of the workspace, on one page. */
export function VariableList() {
  const trpc = useTRPC();
  const [isCreating, creating] = useDisclosure(false);
  const [changed, setChanged] = useState<VariableRow>();
  const [removed, setRemoved] = useState<VariableRow>();
  const variables = useQuery(trpc.variables.list.queryOptions({ query: { limit: String(MAX_WORKSPACE_VARIABLES) } }));
  return (
    <PageSection
      title="Variables"
      summary="Values that all workflows of this workspace read as vars.NAME. They are not secret: keep passwords and tokens in credentials."
      aside={
        <PermittedButton to="variable:create">
          <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={creating.open}>
            New variable
          </Button>
        </PermittedButton>
      }
    >
      <QueryList
        of="variables"
        query={variables}
        empty={
          <EmptyState art={<EmptyListArt />} title="No variables">
            A variable holds a value that several workflows need, such as an address, a limit or a list of regions.
          </EmptyState>
        }
      >
        {(items) => (
          <VariableTable
            variables={items.toSorted((one, other) => one.name.localeCompare(other.name))}
            onChange={setChanged}
            onRemove={setRemoved}
          />
        )}
      </QueryList>
      {isCreating && <VariableForm variable={undefined} onClose={creating.close} />}
      {changed && <VariableForm variable={changed} onClose={() => setChanged(undefined)} />}
      {removed && <DeleteVariable name={removed.name} onClose={() => setRemoved(undefined)} />}
    </PageSection>
  );
}
