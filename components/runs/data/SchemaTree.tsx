import { inferShape, describeValueShape, type ValueShape } from './shape';
import classes from './DataView.module.css';
import { useDragPathProps } from './dragging';
import { appendPathStep } from './table/table-data';

/** The fields of a value with their types. With `path`, each field can be dragged as the expression that reads it. */
export function SchemaTree({ value, path }: { value: unknown; path?: string }) {
  const shape = inferShape([value]);
  const inner = innermostShape(shape);
  if (inner.fields.size === 0) return <div className={classes.empty}>{describeValueShape(shape)}</div>;
  return <ShapeFields shape={inner} path={path} />;
}

/** The shape that has the fields: of a list, that of its items. */
function innermostShape(shape: ValueShape): ValueShape {
  return shape.fields.size === 0 && shape.items ? innermostShape(shape.items) : shape;
}

function ShapeFields({ shape, path }: { shape: ValueShape; path?: string }) {
  const dragPathProps = useDragPathProps();
  return (
    <ul className={classes.tree}>
      {[...shape.fields].map(([name, field]) => {
        const at = path === undefined ? undefined : appendPathStep(path, name);
        const inner = innermostShape(field);
        return (
          <li key={name}>
            <div className={classes.field} data-leaf {...dragPathProps(at)}>
              <b>{name}</b>
              <span className={classes.kind}>
                {describeValueShape(field)}
                {field.count < shape.count && `, in ${field.count} of ${shape.count}`}
              </span>
            </div>
            {inner.fields.size > 0 && <ShapeFields shape={inner} path={at} />}
          </li>
        );
      })}
    </ul>
  );
}
