import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { NodeResult } from '@/contract/execution';
import type { Node } from '@/contract/workflows/workflow';
import { executionScope, resolveAll } from '@/components/forms/model/resolve';
import { curlCommand } from './curl-command';
import type { Run } from '../live';
import { outputsAround } from '../timeline/rounds';

interface Props {
  node: Node;
  result: NodeResult;
  execution: Run;
}

/** Copies the request of a node as a cURL command, without the headers of its credential. */
export function CopyAsCurl({ node, result, execution }: Props) {
  const { data: config } = useQuery({
    queryKey: ['request', execution.id, result.nodeId],
    queryFn: async () => {
      const outcome = await resolveAll(node.config, {
        input: result.input,
        nodes: outputsAround(execution.nodeResults, result.nodeId),
        execution: executionScope(execution),
      });
      // Expressions that can't be resolved are copied as written.
      return 'value' in outcome ? (outcome.value as Record<string, unknown>) : node.config;
    },
  });
  if (!config) return null;
  return (
    <CopyButton value={curlCommand(config)}>
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
