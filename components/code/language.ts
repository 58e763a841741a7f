import type { Extension } from '@codemirror/state';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { python } from '@codemirror/lang-python';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { javascriptHighlighting } from './javascript-highlighting';
import { jsonataHighlighting } from './jsonata-highlighting';

/**
 * The language of a text: a function body, a JSON value, SQL, a command of a shell, a template with `{{ }}`, or a bare
 * expression.
 */
export type EditorLanguage = 'javascript' | 'python' | 'json' | 'sql' | 'shell' | 'template' | 'expression';

const EXPRESSION_HIGHLIGHTING = { jsonata: jsonataHighlighting, javascript: javascriptHighlighting };

const LANGUAGE_EXTENSIONS: Record<EditorLanguage, (expressions: ExpressionLanguage) => Extension> = {
  javascript: () => javascript(),
  python: () => python(),
  json: () => json(),
  // SQL is not coloured: servers differ in their keywords, and a parser for each is large.
  sql: () => [],
  shell: () => [],
  template: (expressions) => EXPRESSION_HIGHLIGHTING[expressions](false),
  expression: (expressions) => EXPRESSION_HIGHLIGHTING[expressions](true),
};

/** Whether texts in this language go to another server unchanged, and so contain no expressions. */
export const isServerLanguage = (language: EditorLanguage): boolean => language === 'sql' || language === 'shell';

/** Whether texts are programs of several lines, with names for the data of the run. */
export const isProgramLanguage = (language: EditorLanguage): boolean =>
  language === 'javascript' || language === 'python';

/** `expressions`: the language of expressions in templates. */
export const languageExtension = (language: EditorLanguage, expressions: ExpressionLanguage): Extension =>
  LANGUAGE_EXTENSIONS[language](expressions);
