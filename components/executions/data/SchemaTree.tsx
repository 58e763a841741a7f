import { shapeOf, describe, type Shape } from './shape';
import classes from './DataView.module.css';
import { dragging } from './dragging';
import { stepTo } from './table/table-data';

/** The fields of a value with their types. With `path`, each field can be dragged as the expression that reads it. */
export function SchemaTree({ value, path }: { value: unknown; path?: string }) {
  const shape = shapeOf([value]);
  const inner = innerOf(shape);
  if (inner.fields.size === 0) return <div className={classes.empty}>{describe(shape)}</div>;
  return <Fields shape={inner} path={path} />;
}

/** The shape that has the fields: of a list, that of its items. */
function innerOf(shape: Shape): Shape {
  return shape.fields.size === 0 && shape.items ? innerOf(shape.items) : shape;
}

function Fields({ shape, path }: { shape: Shape; path?: string }) {
  return (
    <ul className={classes.tree}>
      {[...shape.fields].map(([name, field]) => {
        const at = path === undefined ? undefined : stepTo(path, name);
        const inner = innerOf(field);
        return (
          <li key={name}>
            <div className={classes.field} data-leaf {...dragging(at)}>
              <b>{name}</b>
              <span className={classes.kind}>
                {describe(field)}
                {field.count < shape.count && `, in ${field.count} of ${shape.count}`}
              </span>
            </div>
            {inner.fields.size > 0 && <Fields shape={inner} path={at} />}
          </li>
        );
      })}
    </ul>
  );
}
