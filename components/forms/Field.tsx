import { Control, controlFor } from './Control';
import { ExpressionSwitch } from './ExpressionSwitch';
import type { FieldProps } from './field';
import { Resolved } from './Resolved';
import { isExpression, kindOf, labelOf, type FieldKind } from './schema';

/** Kinds whose control has no place to write an expression into. */
const WITHOUT_TEXT: FieldKind[] = ['choice', 'switch', 'list', 'map', 'group'];

/** One field: its control, the way to an expression and back, and what the expression comes to. */
export function Field(props: FieldProps) {
  const { name, schema, value, onChange } = props;
  const isLiteral = schema['x-literal'] === true;
  const isBare = controlFor(schema, value) === 'expression';
  const isOn = isExpression(value);
  const written = typeof value === 'string' && !isLiteral ? value : '';
  const isShown = (isBare && written.trim() !== '') || isExpression(written);
  const canSwitch = !isLiteral && WITHOUT_TEXT.includes(kindOf(schema));
  return (
    <div style={{ position: 'relative' }}>
      {canSwitch && <ExpressionSwitch label={labelOf(name, schema)} isOn={isOn} onChange={onChange} />}
      <Control {...props} />
      {isShown && <Resolved text={written} isBare={isBare} />}
    </div>
  );
}
