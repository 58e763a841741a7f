import type { Template } from '@/contract/workflows/template';
import { senderIcon } from '@/components/ui/brands/SenderIcon';
import classes from './Services.module.css';

/** The services that a template works with, with their logos if there are any. */
export const Services = ({ services }: Pick<Template, 'services'>) => (
  <span className={classes.services}>
    {services.map(({ name, connectorId }) => (
      <span key={name} className={classes.service}>
        <Logo address={connectorId ? `/connectors/${connectorId}.svg` : senderIcon(name)} />
        {name}
      </span>
    ))}
  </span>
);

function Logo({ address }: { address: string | undefined }) {
  if (!address) return null;
  // oxlint-disable-next-line nextjs/no-img-element -- an SVG of a few hundred bytes gains nothing from resizing
  return <img src={address} alt="" width={14} height={14} className={classes.logo} />;
}
