import { Input, Textarea } from '@mantine/core';
import { lazy, Suspense, use, useEffect, useId, useRef, type ReactNode, type RefObject } from 'react';
import { ReadOnlyContext } from '@/components/ui/values/read-only';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import type { CodeEditorProps } from './CodeEditor';

const LazyCodeEditor = lazy(() => import('./CodeEditor'));

interface Props extends Omit<CodeEditorProps, 'labelledBy' | 'describedBy' | 'isInvalid' | 'caretRef'> {
  label: ReactNode;
  /** The label is for screen readers only. */
  isLabelHidden?: boolean;
  description?: ReactNode;
  error?: ReactNode;
  withAsterisk?: boolean;
  caretRef?: RefObject<number | undefined>;
}

/** A field for code. A plain text area is shown until the editor is loaded. */
export function CodeInput({ label, isLabelHidden, description, error, withAsterisk, ...editor }: Props) {
  const id = useId();
  const isReadOnly = use(ReadOnlyContext);
  const expressions = useExpressionLanguage();
  const own = useRef<number>(undefined);
  const caretRef = editor.caretRef ?? own;
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
        style: isLabelHidden ? VISUALLY_HIDDEN_STYLE : undefined,
      }}
      description={description}
      descriptionProps={{ id: `${id}description` }}
      error={error}
      errorProps={{ id: `${id}error` }}
      withAsterisk={withAsterisk}
    >
      <div style={{ marginTop: description ? DESCRIPTION_GAP : 0, marginBottom: error ? DESCRIPTION_GAP : 0 }}>
        <Suspense fallback={<PlainCodeInput {...editor} labelledBy={ids.labelledBy} caretRef={caretRef} />}>
          <LazyCodeEditor
            key={`${editor.language} ${editor.isSingleLine} ${expressions}`}
            isReadOnly={isReadOnly}
            {...editor}
            {...ids}
            isInvalid={Boolean(error)}
            caretRef={caretRef}
          />
        </Suspense>
      </div>
    </Input.Wrapper>
  );
}

/** Records the cursor, so that typing continues when the editor replaces this field. */
function PlainCodeInput({ value, minLines, hint, labelledBy, caretRef, hasInitialFocus, onChange }: CodeEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const at = caretRef.current;
    if (at === undefined) return;
    // The selection first: the focus records where the cursor is, and the editor may replace this field right after it.
    field.current?.setSelectionRange(at, at);
    field.current?.focus();
  }, [caretRef]);
  return (
    <Textarea
      ref={field}
      aria-labelledby={labelledBy}
      value={value}
      rows={minLines ?? 1}
      placeholder={hint}
      spellCheck={false}
      data-autofocus={hasInitialFocus ? '' : undefined}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      onFocus={(event) => storeCaret(caretRef, event.currentTarget.selectionStart)}
      onSelect={(event) => storeCaret(caretRef, event.currentTarget.selectionStart)}
      onBlur={() => storeCaret(caretRef, undefined)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function storeCaret(caretRef: RefObject<number | undefined>, position: number | undefined): void {
  caretRef.current = position;
}

const DESCRIPTION_GAP = 'calc(var(--mantine-spacing-xs) / 2)';
const VISUALLY_HIDDEN_STYLE = {
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const;
