import { closeBrackets, closeBracketsKeymap, completionKeymap, completionStatus } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef, type CSSProperties, type RefObject } from 'react';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { codeCompletion, type ExpressionValues } from './completion';
import { insertCode, type CodeInsertion } from './insertion';
import { codeLinter, type CodeCheck } from './code-linter';
import { isProgramLanguage, isServerLanguage, languageExtension, type EditorLanguage } from './language';
import { editorTheme } from './editor-theme';
import { bracesInput } from './braces-input';
import { dropPathExtension } from './path-drop';
import { dataPills, redescribePills } from './pills/data-pills';
import type { DescribeReference } from './pills/reference-description';
import { valueHover } from './value-hover';

export interface CodeEditorProps {
  value: string;
  language: EditorLanguage;
  /** Line breaks become spaces. */
  isSingleLine?: boolean;
  minLines?: number;
  hint?: string;
  isInvalid?: boolean;
  isReadOnly?: boolean;
  /** The dialog around it focuses this field first. */
  hasInitialFocus?: boolean;
  /** Ids of the elements that label and describe the field. */
  labelledBy: string;
  describedBy?: string;
  /** Values that completion offers paths of. */
  values?: ExpressionValues;
  check?: CodeCheck;
  /** Paths that it knows are drawn as pills. */
  describeReference?: DescribeReference;
  /** Cursor position in the plain field that this editor replaces; unset: it had no focus. */
  caretRef: RefObject<number | undefined>;
  /**
   * Receives the function that inserts a text at the cursor, in place of the selection. It receives undefined when the
   * editor is removed.
   */
  onInserter?(insert: ((insertion: CodeInsertion) => void) | undefined): void;
  onChange(text: string): void;
  onBlur?(): void;
}

/** A text in CodeMirror, which is loaded when the first editor is shown. */
export default function CodeEditor(props: CodeEditorProps) {
  const { value, language, minLines = 1, isInvalid = false, caretRef, describeReference } = props;
  const expressions = useExpressionLanguage();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const onText = useEffectEvent((text: string) => text !== value && props.onChange(text));
  const onBlur = useEffectEvent(() => props.onBlur?.());
  const valuesNow = useEffectEvent(() => props.values);
  const checkNow = useEffectEvent(async (text: string) => props.check?.(text));
  const begin = useEffectEvent((parent: HTMLElement) => {
    const editor = new EditorView({
      parent,
      state: EditorState.create({
        doc: value,
        selection: { anchor: Math.min(caretRef.current ?? value.length, value.length) },
        extensions: [
          accessibilityAttributes(props),
          editorBehaviour(props),
          languageExtension(language, expressions),
          codeCompletion(language, expressions, () => valuesNow()),
          valueHover(language, expressions, () => valuesNow()),
          language === 'template' || language === 'json'
            ? [
                bracesInput,
                dataPills({ language: expressions, isJson: language === 'json', describe: describeReference }),
              ]
            : [],
          isServerLanguage(language) ? [] : dropPathExtension(language, expressions, () => valuesNow()),
          codeLinter(language, (text) => checkNow(text)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onText(update.state.doc.toString());
            if (update.focusChanged && !update.view.hasFocus) onBlur();
          }),
        ],
      }),
    });
    if (caretRef.current !== undefined) editor.focus();
    caretRef.current = undefined;
    return editor;
  });

  const offer = useEffectEvent((editor: EditorView | undefined) =>
    props.onInserter?.(
      editor &&
        ((insertion) => {
          const { from, to } = editor.state.selection.main;
          insertCode(editor, language, insertion, from, to);
        }),
    ),
  );
  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    const editor = begin(parent);
    view.current = editor;
    offer(editor);
    return () => {
      offer(undefined);
      // The editor that replaces this one takes over the cursor.
      if (editor.hasFocus) caretRef.current = editor.state.selection.main.head;
      editor.destroy();
    };
  }, [caretRef]);
  useEffect(() => {
    const editor = view.current;
    const text = editor?.state.doc.toString() ?? '';
    if (!editor || text === value) return;
    const anchor = caretRef.current;
    caretRef.current = undefined;
    const selection = anchor === undefined ? undefined : { anchor: Math.min(anchor, value.length) };
    editor.dispatch({ changes: { from: 0, to: text.length, insert: value }, selection });
  }, [value, caretRef]);
  useEffect(() => view.current?.dispatch({ effects: redescribePills.of(describeReference) }), [describeReference]);
  useEffect(() => {
    view.current?.dom.toggleAttribute('data-invalid', isInvalid);
    view.current?.contentDOM.setAttribute('aria-invalid', String(isInvalid));
  }, [isInvalid]);
  return <div ref={host} style={editorHeightStyle(minLines, language)} data-code={language} />;
}

/** `--code-fill`: the height that the place around it offers to a program. */
const editorHeightStyle = (lines: number, language: EditorLanguage) =>
  ({
    '--code-min-height': isProgramLanguage(language)
      ? `max(${lines * 20 + 14}px, var(--code-fill, 0px))`
      : `${lines * 20 + 14}px`,
  }) as CSSProperties;
const minHeightTheme = EditorView.theme({
  '.cm-content': { minHeight: 'var(--code-min-height)', boxSizing: 'border-box' },
});
/** A text that is only shown has its whole height: parts of it that scroll could not be reached by keyboard. */
const unscrolledTheme = EditorView.theme({ '.cm-scroller': { maxHeight: 'none', overflow: 'visible' } });
const singleLineFilter = EditorState.transactionFilter.of((change) =>
  change.docChanged && change.newDoc.lines > 1
    ? [
        {
          changes: {
            from: 0,
            to: change.startState.doc.length,
            insert: change.newDoc.toString().replace(/\s*\n\s*/g, ' '),
          },
          selection: { anchor: Math.min(change.newSelection.main.head, change.newDoc.length) },
        },
      ]
    : change,
);

function editorBehaviour({ language, isSingleLine, hint, isReadOnly }: CodeEditorProps): Extension {
  const isCode = isProgramLanguage(language) || language === 'json' || isServerLanguage(language);
  return [
    history(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    isReadOnly ? [EditorState.readOnly.of(true), unscrolledTheme] : [],
    isSingleLine && !isReadOnly ? [singleLineFilter] : EditorView.lineWrapping,
    isCode && !isSingleLine ? [indentOnInput(), keymap.of([indentWithTab])] : [],
    isProgramLanguage(language) || isServerLanguage(language) ? lineNumbers() : [],
    hint ? placeholder(hint) : [],
    keymap.of([...completionKeymap, ...closeBracketsKeymap, ...historyKeymap, ...defaultKeymap]),
    editorTheme,
    minHeightTheme,
  ];
}

/** While completion is open, Escape closes it and not the dialog. */
const accessibilityAttributes = ({ labelledBy, describedBy = '', language, hasInitialFocus }: CodeEditorProps) =>
  EditorView.contentAttributes.of((view) => ({
    tabindex: '0',
    'aria-labelledby': labelledBy,
    'aria-describedby': describedBy,
    ...(isProgramLanguage(language) ? { 'aria-keyshortcuts': 'Control+M' } : {}),
    ...(hasInitialFocus ? { 'data-autofocus': '' } : {}),
    'data-mantine-stop-propagation': String(completionStatus(view.state) !== null),
  }));
