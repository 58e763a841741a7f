import { Input, Textarea } from '@mantine/core';
import { lazy, Suspense, useId, useRef, type ReactNode, type RefObject } from 'react';
import type { CodeEditorProps } from './CodeEditor';

const CodeEditor = lazy(() => import('./CodeEditor'));

interface Props extends Omit<CodeEditorProps, 'labelledBy' | 'describedBy' | 'isInvalid' | 'caret'> {
  label: ReactNode;
  /** The label is for those who listen only. */
  isLabelHidden?: boolean;
  description?: ReactNode;
  error?: ReactNode;
  withAsterisk?: boolean;
  caret?: RefObject<number | undefined>;
}

/** A field for code. Until the editor has come, which is loaded with the first such field, a plain one takes its place. */
export function CodeInput({ label, isLabelHidden, description, error, withAsterisk, ...editor }: Props) {
  const id = useId();
  const own = useRef<number>(undefined);
  const caret = editor.caret ?? own;
  const host = useRef<HTMLDivElement>(null);
  const ids = { labelledBy: `${id}label`, describedBy: `${id}description ${id}error` };
  return (
    <Input.Wrapper
      ref={host}
      label={label}
      labelElement="div"
      labelProps={{
        id: ids.labelledBy,
        onClick: () => host.current?.querySelector<HTMLElement>('[role="textbox"], textarea')?.focus(),
        style: isLabelHidden ? HIDDEN : undefined,
      }}
      description={description}
      descriptionProps={{ id: `${id}description` }}
      error={error}
      errorProps={{ id: `${id}error` }}
      withAsterisk={withAsterisk}
      inputContainer={(children) => <div style={{ margin: MARGIN }}>{children}</div>}
    >
      <Suspense fallback={<Plain {...editor} labelledBy={ids.labelledBy} caret={caret} />}>
        <CodeEditor {...editor} {...ids} isInvalid={Boolean(error)} caret={caret} />
      </Suspense>
    </Input.Wrapper>
  );
}

/** Tells where the cursor was, so that nobody is thrown out of the field when the editor comes. */
function Plain({ value, minLines, hint, labelledBy, caret, onChange }: CodeEditorProps) {
  return (
    <Textarea
      aria-labelledby={labelledBy}
      value={value}
      rows={minLines ?? 1}
      placeholder={hint}
      spellCheck={false}
      autoFocus={caret.current !== undefined}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      onFocus={(event) => remember(caret, event.currentTarget.selectionStart)}
      onSelect={(event) => remember(caret, event.currentTarget.selectionStart)}
      onBlur={() => remember(caret, undefined)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function remember(caret: RefObject<number | undefined>, position: number | undefined): void {
  caret.current = position;
}

const MARGIN = 'calc(var(--mantine-spacing-xs) / 2) 0';
const HIDDEN = { position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' } as const;
