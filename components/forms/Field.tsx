import { use } from 'react';
import { Control, controlFor } from './Control';
import { ExpressionSwitch } from './ExpressionSwitch';
import type { FieldProps } from './model/field';
import classes from './Field.module.css';
import { PreviewContext } from './preview';
import { Resolved } from './Resolved';
import { isExpression, kindOf, labelOf, type FieldKind } from './model/schema';
import { usePathDrop } from './usePathDrop';

/** Kinds whose control can't hold an expression. */
const WITHOUT_TEXT: FieldKind[] = ['choice', 'switch', 'list', 'map', 'group'];
/** Kinds that contain fields. */
const HOLDING: FieldKind[] = ['list', 'map', 'group', 'filter-rules', 'table-filter', 'assignments', 'addresses'];
/** Kinds whose value is an expression as a whole. */
const BARE: FieldKind[] = ['expression', 'condition', 'picked'];

/** One field: its control, the switch to an expression, and the preview of the expression. */
export function Field(props: FieldProps) {
  const { name, schema, value, path, errors, onChange } = props;
  // Without a preview context (settings, credentials) expressions have no meaning.
  const isLiteral = use(PreviewContext) === undefined || schema['x-literal'] === true;
  const control = controlFor(schema, value);
  const isBare = BARE.includes(control);
  const isText = typeof value === 'string';
  const isShown = !isLiteral && (isBare ? isText && value.trim() !== '' : holdsExpression(value));
  const canSwitch = !isLiteral && WITHOUT_TEXT.includes(kindOf(schema));
  const canReplace = WITHOUT_TEXT.includes(control) && (!HOLDING.includes(control) || value === undefined);
  const drop = usePathDrop(!isLiteral && canReplace ? (path) => onChange(`{{ ${path} }}`) : undefined);
  return (
    <div className={classes.field} data-field={path} {...drop}>
      {canSwitch && <ExpressionSwitch label={labelOf(name, schema)} isOn={isExpression(value)} onChange={onChange} />}
      <Control {...props} />
      {isShown && !HOLDING.includes(control) && <Resolved value={value} isBare={isBare} isFaulty={errors.has(path)} />}
    </div>
  );
}

const holdsExpression = (value: unknown): boolean =>
  isExpression(value) || (typeof value === 'object' && value !== null && isExpression(JSON.stringify(value)));
