import { z } from 'zod';
import { Timestamp, page } from './text';

/** Variables of a workspace: one page of a list shows all. */
export const MAX_VARIABLES = 100;
/** Characters of a value's JSON. */
export const MAX_VARIABLE = 32 * 1024;

export const VARIABLE_NAME = /^[A-Z][A-Z0-9_]*$/;

const name = z
  .string()
  .max(100)
  .regex(VARIABLE_NAME, { error: 'must consist of capital letters, digits and _, and begin with a letter' })
  .meta({ example: 'SUPPORT_ADDRESS' });

const value = z
  .unknown()
  .refine((given) => given !== undefined, { error: 'is required' })
  .refine((given) => (JSON.stringify(given) ?? '').length <= MAX_VARIABLE, {
    error: `must have at most ${MAX_VARIABLE.toLocaleString('en')} characters of JSON`,
  })
  .meta({ description: 'Any JSON value', example: 'support@example.com' });

export const Variable = z
  .object({
    name: z.string(),
    value: z.unknown().meta({ description: 'Any JSON value. Not secret', example: 'support@example.com' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    createdBy: z.string().nullable(),
  })
  .meta({ id: 'Variable', description: 'A named value that workflows read as `vars.NAME`' });
export type Variable = z.infer<typeof Variable>;

export const VariablePage = page(Variable).meta({ id: 'VariablePage' });

export const VariableWithUses = Variable.extend({
  usedBy: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .meta({ description: 'Workflows whose latest version names it, at most 100' }),
}).meta({ id: 'VariableWithUses' });
export type VariableWithUses = z.infer<typeof VariableWithUses>;

export const VariableCreate = z.strictObject({ name, value });

export const VariableUpdate = z.strictObject({
  name: name.optional().meta({ description: 'As in the address: names do not change' }),
  value,
});
