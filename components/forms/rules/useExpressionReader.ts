import { useEffect, useState } from 'react';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { parseObjectFields, printObjectFields } from './model/assignments';
import { parseRules, type JsonataTree, type NotRulesReason, type ParseJsonata } from './model/parse-rules';
import type { RuleGroup } from './model/rule-model';

/** Reads expressions as rows of a form, and writes rows as expressions. */
export interface ExpressionReader {
  parseRules(source: string): RuleGroup | NotRulesReason;
  parseFields(source: string): { fields: Record<string, unknown> } | NotRulesReason;
  printFields(fields: Record<string, unknown>): string;
}

async function loadJsonataReader(): Promise<ExpressionReader> {
  const { default: jsonata } = await import('jsonata');
  // JSONata declares a narrower type of its tree.
  const parse: ParseJsonata = (source) => jsonata(source).ast() as unknown as JsonataTree;
  return {
    parseRules: (source) => parseRules(source, parse),
    parseFields: (source) => parseObjectFields(source, parse),
    printFields: (fields) => printObjectFields(fields, parse),
  };
}

async function loadJavascriptReader(): Promise<ExpressionReader> {
  const [{ readJavascript }, rules, assignments] = await Promise.all([
    import('@/import/languages/javascript-syntax'),
    import('./model/parse-javascript-rules'),
    import('./model/javascript-assignments'),
  ]);
  return {
    parseRules: (source) => rules.parseJavascriptRules(source, readJavascript),
    parseFields: (source) => assignments.parseJavascriptFields(source, readJavascript),
    printFields: (fields) => assignments.printJavascriptFields(fields, readJavascript),
  };
}

const READER_LOADERS = { jsonata: loadJsonataReader, javascript: loadJavascriptReader };
const loaded = new Map<ExpressionLanguage, ExpressionReader>();

/** The reader of the language here, which is loaded when an expression has to be read; undefined until then. */
export function useExpressionReader(isNeeded: boolean): ExpressionReader | undefined {
  const language = useExpressionLanguage();
  const [, setLoads] = useState(0);
  const reader = loaded.get(language);
  useEffect(() => {
    if (!isNeeded || reader) return;
    let isOver = false;
    void READER_LOADERS[language]().then((next) => {
      if (!loaded.has(language)) loaded.set(language, next);
      if (!isOver) setLoads((count) => count + 1);
    });
    return () => {
      isOver = true;
    };
  }, [isNeeded, reader, language]);
  return reader;
}
