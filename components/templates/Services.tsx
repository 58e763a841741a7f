import type { Template } from '@/contract/workflows/template';
import classes from './Services.module.css';

/** The services that a template works with; those with a connector have their logo. */
export const Services = ({ services }: Pick<Template, 'services'>) => (
  <span className={classes.services}>
    {services.map(({ name, connectorId }) => (
      <span key={name} className={classes.service}>
        {connectorId && (
          // oxlint-disable-next-line nextjs/no-img-element -- an SVG of a few hundred bytes gains nothing from resizing
          <img src={`/connectors/${connectorId}.svg`} alt="" width={12} height={12} className={classes.logo} />
        )}
        {name}
      </span>
    ))}
  </span>
);
