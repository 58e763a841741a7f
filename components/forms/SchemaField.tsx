import { use, type CSSProperties } from 'react';
import { FieldControl, chooseControl } from './FieldControl';
import { ExpressionSwitch } from './ExpressionSwitch';
import type { FieldControlProps } from './model/field-props';
import classes from './SchemaField.module.css';
import { PreviewDataContext } from './preview-context';
import { ExpressionPreview } from './ExpressionPreview';
import { hasExpressionBraces, fieldControlKind, schemaLabel, type FieldControlKind } from './model/field-schema';
import { usePathDropTarget } from './usePathDrop';

/** Kinds whose control can't hold an expression. */
const KINDS_WITHOUT_TEXT: FieldControlKind[] = [
  'choice',
  'switch',
  'list',
  'map',
  'group',
  'item-field',
  'item-fields',
  'measures',
  'yes-no',
  'date',
  'time',
];
/** Kinds that contain fields. */
const KINDS_WITH_FIELDS: FieldControlKind[] = [
  'item-fields',
  'measures',
  'list',
  'map',
  'group',
  'filter-rules',
  'table-filter',
  'assignments',
  'addresses',
  'columns',
  'column-rows',
];
/** Kinds whose value is an expression as a whole. */
const BARE_EXPRESSION_KINDS: FieldControlKind[] = ['expression', 'condition', 'picked', 'list-source'];

/** One field: its control, the switch to an expression, and the preview of the expression. */
export function SchemaField(props: FieldControlProps) {
  const { name, schema, value, path, errors, onChange } = props;
  // Without a preview context (settings, credentials) expressions have no meaning.
  const isLiteral = use(PreviewDataContext) === undefined || schema['x-literal'] === true;
  const control = chooseControl(schema, value);
  const isBare = BARE_EXPRESSION_KINDS.includes(control);
  const isText = typeof value === 'string';
  const isShown = !isLiteral && (isBare ? isText && value.trim() !== '' : containsExpression(value));
  const canSwitch = !isLiteral && KINDS_WITHOUT_TEXT.includes(fieldControlKind(schema));
  const canReplace =
    KINDS_WITHOUT_TEXT.includes(control) && (!KINDS_WITH_FIELDS.includes(control) || value === undefined);
  const drop = usePathDropTarget(!isLiteral && canReplace ? (path) => onChange(`{{ ${path} }}`) : undefined);
  return (
    <div className={classes.field} data-field={path} style={canSwitch ? BESIDE_SWITCH : WITHOUT_SWITCH} {...drop}>
      {canSwitch && (
        <ExpressionSwitch label={schemaLabel(name, schema)} isOn={hasExpressionBraces(value)} onChange={onChange} />
      )}
      <FieldControl {...props} />
      {isShown && !KINDS_WITH_FIELDS.includes(control) && (
        <ExpressionPreview value={value} isBare={isBare} isFaulty={errors.has(path)} />
      )}
    </div>
  );
}

const BESIDE_SWITCH = { '--field-switch': '28px' } as CSSProperties;
const WITHOUT_SWITCH = { '--field-switch': '0px' } as CSSProperties;

const containsExpression = (value: unknown): boolean =>
  hasExpressionBraces(value) ||
  (typeof value === 'object' && value !== null && hasExpressionBraces(JSON.stringify(value)));
