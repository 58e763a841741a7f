import { Autocomplete, Text, Textarea, TextInput } from '@mantine/core';
import { use, useRef, useState, type ChangeEvent, type ReactNode, type RefObject } from 'react';
import type { CodeInsertion } from '@/components/code/insertion';
import { completeTypedBraces } from '@/components/code/typed-braces';
import insertion from './InsertDataButton.module.css';
import { InsertDataButton } from './InsertDataButton';
import { ExpressionInput } from './large/ExpressionInput';
import { PreviewDataContext } from './preview-context';
import type { ReferenceOption } from './model/reference-options';
import { findSyntaxProblem } from './model/preview-expression';
import { hasExpressionBraces } from './model/field-schema';
import { useReferenceDescriber } from './model/useReferenceDescriber';
import { usePathDropTarget } from './usePathDrop';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';

interface Props {
  label: ReactNode;
  isLabelHidden?: boolean;
  description?: ReactNode;
  error?: ReactNode;
  withAsterisk?: boolean;
  value: string;
  placeholder?: string;
  inputMode?: 'decimal';
  disabled?: boolean;
  isMultiline?: boolean;
  /** The value is literal: `=` and `{{ }}` have no meaning. */
  isLiteral?: boolean;
  /** Values to choose from, found by value or label. A field of one line takes any other text too. */
  suggestions?: readonly ReferenceOption[];
  onChange(text: string): void;
}

/** `=` in an empty field inserts this, with the cursor between the braces. */
const BLANK_EXPRESSION = '{{  }}';

/** A text field. A text with an expression is edited in the code editor. */
export function ExpressionTextField(props: Props) {
  const { label, isLabelHidden, isMultiline, isLiteral: isFixed, suggestions, value, onChange, ...rest } = props;
  const preview = use(PreviewDataContext);
  const language = useExpressionLanguage();
  const isLiteral = isFixed || preview === undefined;
  const caretRef = useRef<number>(undefined);
  // While it has the focus, the field does not switch back.
  const [isHeld, setHeld] = useState(false);
  const insertRef = useRef<(insertion: CodeInsertion) => void>(undefined);
  const place = useRef<HTMLDivElement>(null);
  // A plain field that was focused by the page has its cursor at the start, where nobody put it.
  const hasPutCaret = useRef(false);
  const write = (text: string, caret: number | undefined) => {
    const begun = isLiteral ? undefined : beginExpression(value, text, caret);
    caretRef.current = begun?.caret ?? caret;
    onChange(begun?.text ?? text);
  };
  const insertData = (path: string) => {
    if (insertRef.current) return insertRef.current({ text: path });
    const field = place.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
    const at = (hasPutCaret.current ? field?.selectionEnd : undefined) ?? value.length;
    const expression = `{{ ${path} }}`;
    caretRef.current = at + expression.length;
    onChange(value.slice(0, at) + expression + value.slice(at));
  };
  const canTake = !isLiteral && value === '';
  const drop = usePathDropTarget(canTake ? (path) => onChange(`{{ ${path} }}`) : undefined);
  const isCode = !isLiteral && (hasExpressionBraces(value) || isHeld);
  const describeReference = useReferenceDescriber();
  const onType = ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    write(currentTarget.value, currentTarget.selectionStart ?? currentTarget.value.length);
  const named = isLabelHidden ? { 'aria-label': String(label) } : { label };
  const roomy = isLiteral ? {} : isLabelHidden ? ROOM_INSIDE : ROOM_IN_LABEL;
  const common = { ...named, ...rest, ...roomy, value, onChange: onType };
  const plain = suggestions ? (
    <SuggestingInput {...named} {...rest} {...roomy} suggestions={suggestions} value={value} onChange={write} />
  ) : isMultiline ? (
    <Textarea {...common} autosize minRows={3} maxRows={14} />
  ) : (
    <TextInput {...common} />
  );
  return (
    <div
      ref={place}
      className={insertion.field}
      {...(isCode ? {} : drop)}
      onPointerDownCapture={({ target }) => notePutCaret(hasPutCaret, target)}
      onKeyDownCapture={({ target, key }) => key === 'Enter' || key === 'Tab' || notePutCaret(hasPutCaret, target)}
    >
      {isCode ? (
        <ExpressionInput
          {...rest}
          label={label}
          isLabelHidden={isLabelHidden}
          value={value}
          language="template"
          isSingleLine={!isMultiline}
          minLines={isMultiline ? 3 : 1}
          hint={rest.placeholder}
          values={preview?.scope}
          check={(text) => findSyntaxProblem(text, false, language)}
          describeReference={describeReference}
          caretRef={caretRef}
          onInserter={(insert) => {
            insertRef.current = insert;
          }}
          onChange={(text) => {
            setHeld(true);
            write(text, undefined);
          }}
          onBlur={() => setHeld(false)}
        />
      ) : (
        plain
      )}
      {!isLiteral && (
        <InsertDataButton
          label={label}
          place={isLabelHidden ? (isCode ? 'before-button' : 'end') : 'above'}
          onPick={insertData}
        />
      )}
    </div>
  );
}

function notePutCaret(hasPut: RefObject<boolean>, target: EventTarget): void {
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) hasPut.current = true;
}

const ROOM_IN_LABEL = { labelProps: { className: insertion.label } };
const ROOM_INSIDE = { styles: { input: { paddingInlineEnd: 34 } } };

/** What typing into a plain field makes of its text where that begins an expression, with the cursor within it. */
function beginExpression(
  before: string,
  text: string,
  caret = text.length,
): { text: string; caret: number } | undefined {
  if (text === '=' && before === '') return { text: BLANK_EXPRESSION, caret: 3 };
  const typed = text.slice(caret - 1, caret);
  if (text.slice(0, caret - 1) + text.slice(caret) !== before) return undefined;
  const change = completeTypedBraces(before, caret - 1, typed);
  return (
    change && { text: before.slice(0, change.from) + change.insert + before.slice(change.to), caret: change.caret }
  );
}

interface SuggestingInputProps extends Pick<
  Props,
  'description' | 'error' | 'withAsterisk' | 'value' | 'placeholder' | 'disabled'
> {
  labelProps?: { className: string };
  styles?: { input: { paddingInlineEnd: number } };
  label?: ReactNode;
  'aria-label'?: string;
  suggestions: readonly ReferenceOption[];
  onChange(text: string, caret: number | undefined): void;
}

const MAX_SUGGESTIONS = 20;

function SuggestingInput({ suggestions, onChange, ...rest }: SuggestingInputProps) {
  const field = useRef<HTMLInputElement>(null);
  const labels = new Map(suggestions.map(({ value, label }) => [value, label]));
  return (
    <Autocomplete
      {...rest}
      ref={field}
      data={[...labels.keys()]}
      limit={MAX_SUGGESTIONS}
      filter={({ options, search, limit }) => {
        const sought = search.trim().toLowerCase();
        const isFound = (value: string) => `${labels.get(value)} ${value}`.toLowerCase().includes(sought);
        return options.filter((option) => 'value' in option && isFound(option.value)).slice(0, limit);
      }}
      renderOption={({ option }) => (
        <span>
          {labels.get(option.value)}
          <Text size="xs" c="dimmed">
            {option.value}
          </Text>
        </span>
      )}
      onChange={(text) => onChange(text, field.current?.selectionStart ?? text.length)}
    />
  );
}
