import { Button, Input, Menu, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { use, useState } from 'react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import { ChoiceTargetContext } from '@/components/forms/choices/choice-target';
import { readAgentTools, type AgentToolConfig } from '@/components/graph/agent';
import { AgentToolRow } from './AgentToolRow';
import { readApprovalRules, createAgentTool, TOOL_NODE_TYPES, setToolApproval } from './agent-tools';

interface Props {
  config: WorkflowNode['config'];
  /** Messages by the path in the config: `tools[2].config.url`. */
  errors: ReadonlyMap<string, string>;
  onChange(config: WorkflowNode['config'], field: string): void;
}

/** The tools of an agent as rows, each with its form and its approval. */
export function AgentToolList({ config, errors, onChange }: Props) {
  const [open, setOpen] = useState<number>();
  const target = use(ChoiceTargetContext);
  const types = useNodeTypes().data ?? [];
  const tools = readAgentTools(config);
  const approvals = readApprovalRules(config);
  const kinds = TOOL_NODE_TYPES.flatMap((type) => types.find((kind) => kind.type === type) ?? []);
  const set = (next: AgentToolConfig[], rest: WorkflowNode['config'] = config) => {
    const { tools: _, ...others } = rest;
    onChange(next.length > 0 ? { ...others, tools: next } : others, 'tools');
  };
  const add = (kind: NodeTypeDescription) => {
    set([...tools, createAgentTool(kind, tools)]);
    setOpen(tools.length);
  };
  const edit = (index: number, tool: AgentToolConfig) => {
    const before = tools[index];
    const next = tools.map((old, at) => (at === index ? tool : old));
    // An approval follows the name of its tool.
    const isRenamed = before && before.name !== tool.name && approvals[before.name] !== undefined;
    const moved = isRenamed
      ? setToolApproval(setToolApproval(config, tool.name, approvals[before.name]), before.name, undefined)
      : config;
    set(next, moved);
  };
  const remove = (index: number) => {
    target?.onForgetLabels?.('tools[');
    set(
      tools.filter((_, at) => at !== index),
      setToolApproval(config, tools[index]?.name ?? '', undefined),
    );
  };
  return (
    <Input.Wrapper
      label="Tools"
      description="What the model can call. It chooses the arguments; the rest stays as you write it."
      error={errors.get('tools')}
      labelElement="div"
      data-field="tools"
    >
      <Stack gap="xs" mt={6}>
        {tools.length === 0 && (
          <Text size="sm" c="dimmed">
            There are no tools yet.
          </Text>
        )}
        {tools.map((tool, index) => (
          <AgentToolRow
            key={index}
            tool={tool}
            index={index}
            kind={kinds.find(({ type }) => type === tool.type)}
            isOpen={open === index}
            approval={approvals[tool.name]}
            errors={errors}
            onToggle={() => setOpen(open === index ? undefined : index)}
            onChange={(next) => edit(index, next)}
            onApproval={(rule) => onChange(setToolApproval(config, tool.name, rule), 'approvals')}
            onRemove={() => remove(index)}
          />
        ))}
        <Menu position="bottom-start">
          <Menu.Target>
            <Button
              variant="default"
              size="compact-sm"
              w="fit-content"
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={kinds.length === 0}
            >
              Add tool
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {kinds.map((kind) => (
              <Menu.Item key={kind.type} leftSection={<NodeIcon kind={kind} size={24} />} onClick={() => add(kind)}>
                {kind.title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Stack>
    </Input.Wrapper>
  );
}
