import type { ExpressionDialect } from '@/contract/workflows/expression-language';
import { checkTextsAndSchemas, type EvaluationContext } from '@/server/evaluation/evaluator/evaluation';
import type { ExpressionText } from '@/server/evaluation/evaluator/jobs';
import { parseFieldText, type TextSyntax, type ExpressionTextProblem } from '@/server/evaluation/expressions/template';
import type { ContentChecks } from './config';

/** Expressions with more characters together are parsed by evaluator processes, in batches of this many characters. */
export const MAX_PARSED_IN_PROCESS = 2048;
const PARSE_BATCH_CHARACTERS = 128 * 1024;

/** Collects the texts and schemas of a definition, each once. */
export class ContentCollector implements ContentChecks {
  constructor(private readonly language: ExpressionDialect) {}

  readonly texts = new Map<string, ExpressionText>();
  readonly schemas = new Map<string, object>();
  size = 0;

  checkText(text: string, kind: TextSyntax): null {
    const key = `${kind} ${text}`;
    if (!this.texts.has(key)) this.size += text.length;
    this.texts.set(key, { text, kind, language: this.language });
    return null;
  }

  checkSchema(schema: object): null {
    this.schemas.set(JSON.stringify(schema), schema);
    return null;
  }
}

/** Checks texts in this process. */
export const createInProcessChecks = (language: ExpressionDialect): ContentChecks => ({
  checkText: (text, kind) => {
    const parsed = parseFieldText(text, kind, language);
    return 'problem' in parsed ? parsed.problem : null;
  },
  checkSchema: () => null,
});

/** Lets evaluator processes make the same checks. Throws EvaluationFailed. */
export async function checkInEvaluators(
  { texts, schemas }: ContentCollector,
  purpose: EvaluationContext,
): Promise<ContentChecks> {
  const problems = new Map<string, ExpressionTextProblem | null>();
  const keys = [...texts.keys()];
  while (keys.length > 0) {
    const batch: string[] = [];
    for (let size = 0; size < PARSE_BATCH_CHARACTERS;) {
      const key = keys.pop();
      if (key === undefined) break;
      batch.push(key);
      size += key.length;
    }
    const found = await checkTextsAndSchemas(
      batch.flatMap((key) => texts.get(key) ?? []),
      [],
      purpose,
    );
    batch.forEach((key, index) => problems.set(key, found.texts[index] ?? null));
  }
  const found = await checkTextsAndSchemas([], [...schemas.values()], purpose);
  const schemaProblems = new Map([...schemas.keys()].map((key, index) => [key, found.schemas[index] ?? null]));
  return {
    checkText: (text, kind) => problems.get(`${kind} ${text}`) ?? null,
    checkSchema: (schema) => schemaProblems.get(JSON.stringify(schema)) ?? null,
  };
}
