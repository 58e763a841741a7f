import { Title } from '@mantine/core';
import type { CSSProperties } from 'react';
import classes from './ApiReference.module.css';
import { WithCode } from './WithCode';

export interface ApiPropertyRow {
  key: string;
  name: string;
  depth: number;
  type: string;
  isRequired: boolean;
  description?: string;
}

/** A table of properties with their names, types and meanings. */
export function PropertyTable({ title, properties }: { title?: string; properties: ApiPropertyRow[] }) {
  return (
    <div>
      {title && (
        <Title order={3} fz="sm" fw={600} mb={4}>
          {title}
        </Title>
      )}
      <dl className={classes.properties}>
        {properties.map(({ key, name, depth, type, isRequired, description }) => (
          <div key={key} className={classes.property} style={{ '--depth': depth } as CSSProperties}>
            <dt>
              <code>{name}</code>
              {isRequired && <span className={classes.required}>required</span>}
            </dt>
            <dd>
              <span className={classes.type}>{type}</span>
              {description && (
                <span>
                  <WithCode text={description} />
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
