import { ActionIcon, Tooltip } from '@mantine/core';
import { IconArrowsDiagonal } from '@tabler/icons-react';
import { useState, type ComponentProps, type CSSProperties, type KeyboardEvent } from 'react';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { CodeInput } from '@/components/code/CodeInput';

const LazyExpressionDialog = lazyWithPreload(() =>
  import('./ExpressionDialog').then((module) => module.ExpressionDialog),
);

type Props = Omit<ComponentProps<typeof CodeInput>, 'language'> & { language: 'template' | 'expression' };

/** A field for expressions that can be edited in a wide dialog: by its button, or Alt+Enter in the field. */
export function ExpressionInput(props: Props) {
  const [isLarge, setLarge] = useState(false);
  const open = (event: KeyboardEvent) => {
    if (!event.altKey || event.key !== 'Enter' || isLarge) return;
    event.preventDefault();
    event.stopPropagation();
    setLarge(true);
  };
  const name = `Edit ${String(props.label)} in a large editor`;
  return (
    <div style={textRoom(props)} onKeyDownCapture={open}>
      <CodeInput {...props} />
      <Tooltip label="Large editor (Alt+Enter)">
        <ActionIcon
          size={24}
          pos="absolute"
          bottom={props.error ? 26 : 6}
          right={6}
          bg="var(--weft-surface)"
          style={{ zIndex: 1 }}
          variant="subtle"
          color="gray"
          aria-label={name}
          aria-keyshortcuts="Alt+Enter"
          onPointerEnter={() => void LazyExpressionDialog.load()}
          onClick={() => setLarge(true)}
        >
          <IconArrowsDiagonal size={13} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {isLarge && (
        <LazyExpressionDialog
          label={String(props.label)}
          value={props.value}
          language={props.language}
          isSingleLine={props.isSingleLine}
          values={props.values}
          onChange={props.onChange}
          onClose={() => setLarge(false)}
        />
      )}
    </div>
  );
}

/** A line of text ends before the buttons. Without a label, the button for data is one of them. */
function textRoom({ isSingleLine, isLabelHidden }: Props): CSSProperties {
  const room = { position: 'relative', '--code-end': isLabelHidden ? '60px' : '34px' } as const;
  return isSingleLine ? room : { position: 'relative' };
}
