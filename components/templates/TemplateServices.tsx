import type { WorkflowTemplate } from '@/contract/workflows/template';
import { senderIconUrl } from '@/components/ui/brands/WebhookSenderIcon';
import classes from './TemplateServices.module.css';

/** The services that a template works with, with their logos if there are any. */
export const TemplateServices = ({ services }: Pick<WorkflowTemplate, 'services'>) => (
  <span className={classes.services}>
    {services.map(({ name, connectorId }) => (
      <span key={name} className={classes.service}>
        <ServiceLogo address={connectorId ? `/connectors/${connectorId}.svg` : senderIconUrl(name)} />
        {name}
      </span>
    ))}
  </span>
);

function ServiceLogo({ address }: { address: string | undefined }) {
  if (!address) return null;
  // oxlint-disable-next-line nextjs/no-img-element -- an SVG of a few hundred bytes gains nothing from resizing
  return <img src={address} alt="" width={14} height={14} className={classes.logo} />;
}
