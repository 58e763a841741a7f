import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { NodeResult } from '@/contract/execution';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { buildExecutionVariables, previewJsonValue } from '@/components/forms/model/preview-expression';
import { buildCurlCommand } from './curl-command';
import type { LiveRun } from '../live';
import { outputsInScope } from '../timeline/rounds';

interface Props {
  node: WorkflowNode;
  result: NodeResult;
  execution: LiveRun;
}

/** Copies the request of a node as a cURL command, without the headers of its credential. */
export function CopyAsCurl({ node, result, execution }: Props) {
  const { data: config } = useQuery({
    queryKey: ['request', execution.id, result.nodeId],
    queryFn: async () => {
      const outcome = await previewJsonValue(node.config, {
        input: result.input,
        nodes: outputsInScope(execution.nodeResults, result.nodeId),
        execution: buildExecutionVariables(execution),
      });
      // Expressions that can't be resolved are copied as written.
      return 'value' in outcome ? (outcome.value as Record<string, unknown>) : node.config;
    },
  });
  if (!config) return null;
  return (
    <CopyButton value={buildCurlCommand(config)}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconTerminal2 size={14} aria-hidden />}
          onClick={copy}
        >
          {copied ? 'Copied' : 'Copy as cURL'}
        </Button>
      )}
    </CopyButton>
  );
}
