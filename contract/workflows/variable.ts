import { z } from 'zod';
import { CreatedAt, CreatedBy, ObjectId, UpdatedAt } from '../shared-fields';
import { isStorableJson, page } from '../text';
import { VARIABLE_NAME } from './variable-names';

/** Characters of a value's JSON. */
export const MAX_VARIABLE = 32 * 1024;

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
  .refine(isStorableJson, { error: 'must not contain NUL or lone surrogates' })
  .meta({ description: 'Any JSON value', example: 'support@example.com' });

export const Variable = z
  .object({
    name: z.string().describe('Expressions read it as `vars.NAME`'),
    value: z.unknown().meta({ description: 'Any JSON value. Not secret', example: 'support@example.com' }),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    createdBy: CreatedBy,
  })
  .meta({ id: 'Variable', description: 'A named value that workflows read as `vars.NAME`' });
export type Variable = z.infer<typeof Variable>;

export const VariablePage = page(Variable).meta({ id: 'VariablePage' });

export const VariableWithUses = Variable.extend({
  usedBy: z
    .array(z.object({ id: ObjectId, name: z.string().describe('Expressions read it as `vars.NAME`') }))
    .meta({ description: 'Workflows whose latest version names it, at most 100' }),
}).meta({ id: 'VariableWithUses', description: 'A variable of the workspace, with the workflows that use it' });
export type VariableWithUses = z.infer<typeof VariableWithUses>;

export const VariableCreate = z.strictObject({ name: name.describe('What pushes recognise the project by'), value });

export const VariableUpdate = z.strictObject({
  name: name.optional().meta({ description: 'As in the address: names do not change' }),
  value,
});
