import { Modal, SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import classes from './TemplateChoice.module.css';
import type { Template } from './template';
import { TEMPLATES } from './templates';

interface Props {
  isBusy: boolean;
  onPick(template: Template): void;
  onClose(): void;
}

export function TemplateChoice({ isBusy, onPick, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title="Start from a template" size="lg">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {TEMPLATES.map((template) => (
          <UnstyledButton
            key={template.name}
            className={classes.template}
            disabled={isBusy}
            onClick={() => onPick(template)}
          >
            <Text fw={600} size="sm">
              {template.name}
            </Text>
            <Text size="sm" c="dimmed">
              {template.description}
            </Text>
          </UnstyledButton>
        ))}
      </SimpleGrid>
    </Modal>
  );
}
