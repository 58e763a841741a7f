import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconExternalLink, IconForms } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { isFinalStatus } from '@/contract/states';
import type { ListOpenFormPagesResponse } from '@/contract/triggers/form-page';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { useTRPC } from '@/components/client/trpc';
import { usePermissions } from '@/components/client/usePermissions';
import type { LiveRun } from './live';
import { findNestedNode, resultNodeTitle } from './timeline/rounds';
import classes from './ApprovalCard.module.css';

interface Props {
  execution: LiveRun;
  definition: WorkflowDefinition;
  catalogue: NodeTypesByName;
}

/** The pages that a run shows to the visitor of its form, each with a link for those who may continue the run. */
export function FormPageCards({ execution, definition, catalogue }: Props) {
  if (isFinalStatus(execution.status)) return null;
  return execution.nodeResults.flatMap(({ nodeId, status }) =>
    status === 'running' && findNestedNode(definition, nodeId)?.type === 'form_page'
      ? [
          <FormPageCard
            key={nodeId}
            executionId={execution.id}
            nodeId={nodeId}
            title={resultNodeTitle(definition, catalogue, nodeId)}
          />,
        ]
      : [],
  );
}

/** The node is reported before the page is stored: until then the service is asked again. */
const PAGE_REFETCH_MS = 2000;

function FormPageCard({ executionId, nodeId, title }: { executionId: string; nodeId: string; title: string }) {
  const trpc = useTRPC();
  const mayFillIn = usePermissions()('execution:resume') !== 'none';
  const findUrl = (pages: ListOpenFormPagesResponse | undefined) =>
    pages?.data.find((page) => page.nodeId === nodeId)?.url;
  const { data } = useQuery(
    trpc.executions.listPages.queryOptions(
      { params: { id: executionId } },
      {
        enabled: mayFillIn,
        refetchOnMount: 'always',
        refetchInterval: ({ state }) => (findUrl(state.data) === undefined ? PAGE_REFETCH_MS : false),
      },
    ),
  );
  const url = findUrl(data);
  return (
    <Paper className={classes.card} p="md" component="section" aria-label={`Page: ${title}`}>
      <Stack gap="sm">
        <Group gap={8} wrap="nowrap" className={classes.head}>
          <IconForms size={18} aria-hidden />
          <Text fw={600} size="sm">
            Waiting for the visitor: {title}
          </Text>
        </Group>
        {url && (
          <Button
            component="a"
            href={url}
            target="_blank"
            rel="noreferrer"
            variant="default"
            leftSection={<IconExternalLink size={16} aria-hidden />}
          >
            Fill in the page
          </Button>
        )}
      </Stack>
    </Paper>
  );
}
