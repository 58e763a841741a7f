import { Box, Button, Group, Modal, Stack, Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { use, useRef, type ComponentProps } from 'react';
import { CodeInput } from '@/components/code/CodeInput';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import type { CodeInsertion } from '@/components/code/insertion';
import { PreviewDataContext } from '../preview-context';
import { findSyntaxProblem } from '../model/preview-expression';
import { useReferenceDescriber } from '../model/useReferenceDescriber';
import classes from './ExpressionDialog.module.css';
import { ExpressionDataList } from './ExpressionDataList';
import { FunctionList } from './FunctionList';
import { ExpressionResult } from './ExpressionResult';

interface Props extends Pick<ComponentProps<typeof CodeInput>, 'value' | 'isSingleLine' | 'values' | 'onChange'> {
  label: string;
  language: 'template' | 'expression';
  onClose(): void;
}

const EMPTY_DIALOG_SCOPE = {};

/**
 * An expression in a wide dialog, beside the data and functions that it can use, above its result. Changes take effect
 * at once.
 */
export function ExpressionDialog({ label, value, language, isSingleLine, values, onChange, onClose }: Props) {
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  const preview = use(PreviewDataContext);
  const expressions = useExpressionLanguage();
  const describeReference = useReferenceDescriber();
  const isBare = language === 'expression';
  const caretRef = useRef<number>(value.length);
  const insertRef = useRef<(insertion: CodeInsertion) => void>(undefined);
  const insert = (insertion: CodeInsertion) => insertRef.current?.(insertion);
  const scope = values ?? preview?.scope ?? EMPTY_DIALOG_SCOPE;
  return (
    <Modal opened onClose={onClose} title={label} size="72rem" fullScreen={isNarrow}>
      <Box className={classes.columns}>
        <Stack gap="sm" miw={0}>
          <CodeInput
            label={isBare ? 'Expression' : 'Text with expressions'}
            value={value}
            language={language}
            isSingleLine={isSingleLine}
            minLines={10}
            hasInitialFocus
            values={scope}
            check={(text) => findSyntaxProblem(text, isBare, expressions)}
            describeReference={describeReference}
            caretRef={caretRef}
            onInserter={(next) => {
              insertRef.current = next;
            }}
            onChange={onChange}
          />
          <ExpressionResult value={value} isBare={isBare} preview={preview} />
        </Stack>
        <Tabs defaultValue="data" miw={0} keepMounted={false}>
          <Tabs.List grow>
            <Tabs.Tab value="data">Data</Tabs.Tab>
            <Tabs.Tab value="functions">Functions</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="data" pt="xs">
            <ExpressionDataList scope={scope} onPick={(path) => insert({ text: path })} />
          </Tabs.Panel>
          <Tabs.Panel value="functions" pt="xs">
            <FunctionList onPick={(call) => insert({ text: call, back: 1 })} />
          </Tabs.Panel>
        </Tabs>
      </Box>
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Modal>
  );
}
