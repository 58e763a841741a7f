import { Button, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconUnlink } from '@tabler/icons-react';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import classes from './ChecksPanel.module.css';
import { useReviewMarks } from '../language/useReviewMarks';
import { useWorkflowChecks } from './useWorkflowChecks';
import type { CanvasViewControls } from '../useCanvasView';

interface Props {
  catalogue: NodeTypesByName;
  onShow: CanvasViewControls['showIn'];
}

/** Problems that keep the workflow from running, and hints. Each entry opens its node at the field. */
export function ChecksPanel({ catalogue, onShow }: Props) {
  const checks = useWorkflowChecks(catalogue);
  const reviews = useReviewMarks();
  if (checks.length === 0)
    return (
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <IconCircleCheck size={20} color="var(--weft-done)" aria-hidden style={{ flex: 'none' }} />
        <Text size="sm">No problems found. The workflow can run.</Text>
      </Group>
    );
  return (
    <Stack gap={6} component="ul" className={classes.list}>
      {checks.map(({ path, nodeId, title, message, field, said, isHint, isName }) => {
        const Icon = isName ? IconAlertTriangle : isHint ? IconUnlink : IconAlertCircle;
        return (
          <li key={JSON.stringify([path, nodeId, message])}>
            <UnstyledButton
              className={classes.check}
              data-hint={isHint || undefined}
              disabled={nodeId === undefined}
              onClick={() => nodeId !== undefined && onShow(path, nodeId, field, said)}
            >
              <Icon size={18} className={classes.icon} aria-hidden />
              <span>
                <span className={classes.title}>{title}</span>
                <span className={classes.message}>{message}</span>
              </span>
            </UnstyledButton>
            {nodeId !== undefined && field !== undefined && reviews.isMarked(path, nodeId, field) && (
              <Button
                variant="default"
                size="compact-xs"
                mt={6}
                mb={8}
                ml={34}
                onClick={() => reviews.removeMark(path, nodeId, field)}
              >
                I have looked
              </Button>
            )}
          </li>
        );
      })}
    </Stack>
  );
}
