import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { boundedText } from '@/contract/text';
import { isLargeJson } from '@/server/evaluation/expressions/large-json';
import { isTrueValue } from '@/server/evaluation/expressions/truth';
import { completeNode, defineNodeType } from '../node-type';
import { expressionField, largeValueField, portsField } from '../field-traits';

const RESERVED_PORTS = ['default', 'error'];

const switchCaseSchema = z
  .strictObject({
    value: z.unknown().optional().meta({
      apiDescription: 'What the input is compared with',
      title: 'Value',
      'x-editor': 'case',
      'x-alternative': 'when',
    }),
    when: z
      .unknown()
      .optional()
      .meta({
        title: 'When',
        description: 'An expression in {{ }} in place of a value: the case matches if it is true.',
        examples: ['{{ input.total > 1000 }}'],
      }),
    port: boundedText(1, 100).meta({ apiDescription: 'The output port', title: 'Port' }),
  })
  .superRefine(({ value, when }, context) => {
    if (value === undefined && when === undefined)
      context.addIssue({ code: 'custom', path: ['value'], message: 'needs a value or when' });
    if (value !== undefined && when !== undefined)
      context.addIssue({ code: 'custom', path: ['when'], message: 'takes either value or when, not both' });
  });

/** The ports of the cases that have one. */
function listCasePorts(cases: unknown): string[] {
  const ports = (Array.isArray(cases) ? cases : []).map((item: { port?: unknown } | null) => item?.port);
  return ports.filter((port) => typeof port === 'string');
}

/** Whether no case has a value to compare with. */
const areAllCasesRules = (cases: unknown): boolean =>
  Array.isArray(cases) &&
  cases.length > 0 &&
  cases.every((item: { when?: unknown } | null) => typeof item === 'object' && item?.when !== undefined);

/** Equal in type and value. Only a case of a similar size is compared with a large value. */
function equalsCaseValue(value: unknown, expression: unknown): boolean {
  if (!isLargeJson(expression)) return isDeepStrictEqual(value, expression);
  const isAsLarge = JSON.stringify(value)?.length === expression.text.length;
  return isAsLarge && isDeepStrictEqual(value, JSON.parse(expression.text));
}

export const switchNodeType = defineNodeType({
  type: 'switch',
  title: 'Switch',
  summary: 'Continues on the port of the first case that matches: by a value, or by rules.',
  synonyms: ['case', 'switch case', 'route', 'router', 'branch', 'if', 'else if', 'cases', 'match'],
  category: 'logic',
  config: z.strictObject({
    expression: z
      .unknown()
      .optional()
      .apply(expressionField)
      .apply(largeValueField)
      .meta({
        title: 'Value to compare',
        description:
          'An expression. Its value is compared with the values of the cases. Not needed if all cases have rules.',
        examples: ['input.country'],
      }),
    cases: z
      .array(switchCaseSchema)
      .max(100)
      .superRefine((cases, context) => {
        const ports = new Set(RESERVED_PORTS);
        for (const [index, { port }] of cases.entries()) {
          const message = RESERVED_PORTS.includes(port) ? 'is a reserved name' : 'is the port of another case';
          if (ports.has(port)) context.addIssue({ code: 'custom', path: [index, 'port'], message });
          ports.add(port);
        }
      })
      .optional()
      .apply(portsField, listCasePorts)
      .meta({ title: 'Cases', description: 'Each has a port of its own.' }),
  }),
  gaps: ({ expression, cases }) =>
    expression || areAllCasesRules(cases) ? [] : [{ field: 'expression', message: 'is required' }],
  hasInput: true,
  outputs: ['default'],
  credentialTypes: [],
  isOutside: false,
  run({ config: { expression = null, cases = [] }, input, language }) {
    const hit = cases.find(({ value = null, when }) =>
      when === undefined ? equalsCaseValue(value, expression) : isTrueValue(when, language),
    );
    return completeNode(input, hit?.port ?? 'default');
  },
});
