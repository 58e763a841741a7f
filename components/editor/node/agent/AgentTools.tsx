import { Button, Input, Menu, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { NodeType } from '@/contract/workflows/node-type';
import type { Node } from '@/contract/workflows/workflow';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import { toolsOf, type Tool } from '@/components/graph/agent';
import { ToolRow } from './ToolRow';
import { approvalsOf, newTool, TOOL_TYPES, withApproval } from './tools';

interface Props {
  config: Node['config'];
  /** By path in the config: `tools[2].config.url`. */
  errors: ReadonlyMap<string, string>;
  onChange(config: Node['config'], field: string): void;
}

/** The tools of an agent as rows, each with its form and its approval. */
export function AgentTools({ config, errors, onChange }: Props) {
  const [open, setOpen] = useState<number>();
  const types = useNodeTypes().data ?? [];
  const tools = toolsOf(config);
  const approvals = approvalsOf(config);
  const kinds = TOOL_TYPES.flatMap((type) => types.find((kind) => kind.type === type) ?? []);
  const set = (next: Tool[], rest: Node['config'] = config) => {
    const { tools: _, ...others } = rest;
    onChange(next.length > 0 ? { ...others, tools: next } : others, 'tools');
  };
  const add = (kind: NodeType) => {
    set([...tools, newTool(kind, tools)]);
    setOpen(tools.length);
  };
  const edit = (index: number, tool: Tool) => {
    const before = tools[index];
    const next = tools.map((old, at) => (at === index ? tool : old));
    // An approval follows the name of its tool.
    const isRenamed = before && before.name !== tool.name && approvals[before.name] !== undefined;
    const moved = isRenamed
      ? withApproval(withApproval(config, tool.name, approvals[before.name]), before.name, undefined)
      : config;
    set(next, moved);
  };
  const remove = (index: number) =>
    set(
      tools.filter((_, at) => at !== index),
      withApproval(config, tools[index]?.name ?? '', undefined),
    );
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
          <ToolRow
            key={index}
            tool={tool}
            index={index}
            kind={kinds.find(({ type }) => type === tool.type)}
            isOpen={open === index}
            approval={approvals[tool.name]}
            errors={errors}
            onToggle={() => setOpen(open === index ? undefined : index)}
            onChange={(next) => edit(index, next)}
            onApproval={(rule) => onChange(withApproval(config, tool.name, rule), 'approvals')}
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
