import { z } from 'zod';
import { CreatedAt, CreatedBy, ObjectId, UpdatedAt } from '../shared-fields';
import { isStorableJson, pageSchema } from '../text';
import { VARIABLE_NAME_PATTERN } from './variable-names';

/** The JSON of a value has at most this many characters. */
export const MAX_VARIABLE_CHARACTERS = 32 * 1024;

const variableName = z
  .string()
  .max(100)
  .regex(VARIABLE_NAME_PATTERN, { error: 'must consist of capital letters, digits and _, and begin with a letter' })
  .meta({ example: 'SUPPORT_ADDRESS' });

const variableValue = z
  .unknown()
  .refine((given) => given !== undefined, { error: 'is required' })
  .refine((given) => (JSON.stringify(given) ?? '').length <= MAX_VARIABLE_CHARACTERS, {
    error: `must have at most ${MAX_VARIABLE_CHARACTERS.toLocaleString('en')} characters of JSON`,
  })
  .refine(isStorableJson, { error: 'must not contain NUL or lone surrogates' })
  .meta({ description: 'Any JSON value', example: 'support@example.com' });

export const VariableResponse = z
  .object({
    name: z.string().describe('Expressions read it as `vars.NAME`'),
    value: z.unknown().meta({ description: 'Any JSON value. Not secret', example: 'support@example.com' }),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    createdBy: CreatedBy,
  })
  .meta({ id: 'Variable', description: 'A named value that workflows read as `vars.NAME`' });
export type VariableResponse = z.infer<typeof VariableResponse>;

export const ListVariablesResponse = pageSchema(VariableResponse).meta({ id: 'VariablePage' });

export const VariableWithUses = VariableResponse.extend({
  usedBy: z
    .array(z.object({ id: ObjectId, name: z.string().describe('Expressions read it as `vars.NAME`') }))
    .meta({ description: 'Workflows whose latest version names it, at most 100' }),
}).meta({ id: 'VariableWithUses', description: 'A variable of the workspace, with the workflows that use it' });
export type VariableWithUses = z.infer<typeof VariableWithUses>;

export const CreateVariableRequest = z.strictObject({
  name: variableName.describe('What pushes recognise the project by'),
  value: variableValue,
});

export const UpdateVariableRequest = z.strictObject({
  name: variableName.optional().meta({ description: 'As in the address: names do not change' }),
  value: variableValue,
});
