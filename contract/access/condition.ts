import { z } from 'zod';
import { boundedText } from '../text';

/** Attributes for conditions. A condition on an attribute that the object lacks does not match. */
export const CALLER_ATTRIBUTES = ['caller.id', 'caller.email'] as const;
export const RESOURCE_ATTRIBUTES = [
  'resource.id',
  'resource.name',
  'resource.status',
  'resource.type',
  'resource.createdBy',
  'resource.workflowId',
  'resource.connectorId',
  'resource.trigger',
] as const;

export const ConditionAttribute = z.enum([...CALLER_ATTRIBUTES, ...RESOURCE_ATTRIBUTES]);
export type ConditionAttribute = z.infer<typeof ConditionAttribute>;

const ConditionScalar = z.union([boundedText(0, 500), z.number(), z.boolean(), z.null()]);

/**
 * Compares an attribute of the caller or of the object with a fixed `value` (a list for `in`), or with another
 * attribute: `resource.createdBy eq caller.id`.
 */
export const PermissionCondition = z
  .strictObject({
    attribute: ConditionAttribute.describe('The attribute that is compared'),
    operator: z.enum(['eq', 'ne', 'in']).describe('The comparison'),
    value: z
      .union([ConditionScalar, z.array(ConditionScalar).max(100)])
      .optional()
      .describe('What it is compared with'),
    valueFrom: ConditionAttribute.optional().describe('What the attribute is compared with, in place of a value'),
  })
  .superRefine(({ operator, value, valueFrom }, context) => {
    const complain = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if ((value === undefined) === (valueFrom === undefined)) complain('value', 'must have either value or valueFrom');
    else if (operator === 'in' && !Array.isArray(value)) complain('value', 'must be a list with the operator in');
    else if (operator !== 'in' && Array.isArray(value)) complain('value', 'may be a list only with the operator in');
  })
  .meta({ id: 'Condition', description: 'A condition on the resource that a permission is limited to' });
export type PermissionCondition = z.infer<typeof PermissionCondition>;
