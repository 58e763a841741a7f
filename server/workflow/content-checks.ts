import { checkTexts, type Purpose } from '@/server/evaluation/evaluation';
import type { TextToCheck } from '@/server/evaluation/jobs';
import { parseText, type TextKind, type TextProblem } from '@/server/expressions/template';
import type { ContentChecks } from './config';

/** Larger expressions are parsed by evaluator processes, in batches of this many characters. */
export const MAX_PARSED_HERE = 2048;
const PARSED_AT_A_TIME = 128 * 1024;

/** Collects the texts and schemas of a definition, each once. */
export class Contents implements ContentChecks {
  readonly texts = new Map<string, TextToCheck>();
  readonly schemas = new Map<string, object>();
  size = 0;

  text(text: string, kind: TextKind): null {
    const key = `${kind} ${text}`;
    if (!this.texts.has(key)) this.size += text.length;
    this.texts.set(key, { text, kind });
    return null;
  }

  schema(schema: object): null {
    this.schemas.set(JSON.stringify(schema), schema);
    return null;
  }
}

/** Checks texts in this process. */
export const parsedHere: ContentChecks = {
  text: (text, kind) => {
    const parsed = parseText(text, kind);
    return 'problem' in parsed ? parsed.problem : null;
  },
  schema: () => null,
};

/** The same checks, made by evaluator processes. Throws EvaluationFailed. */
export async function checkedElsewhere({ texts, schemas }: Contents, purpose: Purpose): Promise<ContentChecks> {
  const problems = new Map<string, TextProblem | null>();
  const keys = [...texts.keys()];
  while (keys.length > 0) {
    const batch: string[] = [];
    for (let size = 0; size < PARSED_AT_A_TIME;) {
      const key = keys.pop();
      if (key === undefined) break;
      batch.push(key);
      size += key.length;
    }
    const found = await checkTexts(
      batch.flatMap((key) => texts.get(key) ?? []),
      [],
      purpose,
    );
    batch.forEach((key, index) => problems.set(key, found.texts[index] ?? null));
  }
  const found = await checkTexts([], [...schemas.values()], purpose);
  const schemaProblems = new Map([...schemas.keys()].map((key, index) => [key, found.schemas[index] ?? null]));
  return {
    text: (text, kind) => problems.get(`${kind} ${text}`) ?? null,
    schema: (schema) => schemaProblems.get(JSON.stringify(schema)) ?? null,
  };
}
